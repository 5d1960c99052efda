/** What packages say of the project. Who publishes them sets the addresses to their own. */

export const HOMEPAGE = 'https://sallyport.invalid/'
export const MAINTAINER = { name: 'The Sallyport project', address: 'packages@sallyport.invalid' } as const

export const SUMMARY = 'local bridge between native games and a platform'
/** Lines of at most 76 columns. */
export const DESCRIPTION = `Games connect over a local socket and speak the framed RPC protocol that they
already use. The bridge identifies them through the kernel, asks the user to
approve access, and forwards authorized calls to the platform.`

/** Of the package of a version: what the package itself is, when the program is the same. */
export const REVISION = '1'

/** Of software centres: the home page read backwards, and a name. */
export const METAINFO_ID = 'invalid.sallyport.bridge'
