/** Old Wine runs Node 22 only, which has no BoundSocket. The daemon makes none on Windows, so an empty class is enough to compare with. */
import net from 'node:net'

if (!Object.hasOwn(net, 'BoundSocket')) Object.assign(net, { BoundSocket: class {} })
