/** The icon in the tray, as pixels, by its kind: while a prompt waits it has a dot, and no colours while the bridge does not run. */
import { inflateRawSync } from 'node:zlib'
import type { IconKind } from './menu.ts'

type IconSize = 22 | 32 | 48

/**
 * Deflated, in base64. They show the image of daemon/packaging/icons. To replace one, draw it as rows of red, green, blue and opacity, and print
 * `deflateRawSync(pixels, { level: 9 }).toString('base64')`.
 */
const DEFLATED: Readonly<Record<IconKind, Readonly<Record<IconSize, string>>>> = {
  ready: {
    22: [
      'Y2AYmkDPK8kBCSvoeSUJoIkJoItB9Smgi6GZ+x8JN0DVIYs5oItB9TWgiw0jc+/reSWdRxM7j0VsP1QtseaSjYk11zoo8X9nY+z/BT2hYAxig8QoMTc0KeF/cZbX//8n',
      'wv8fXxQIxiA2SAwkR465HlGJ/z8diPgfFuqKYS5IDCQHUkOquUsmxsDNwGYuiAapIdXc0yujCJoLUjNYzC3LD/zfV+P939LJCUwXZXiAMbIYSA257sWHKQmHUXOpY+5Q',
      'AQA=',
    ].join(''),
    32: [
      'Y2AYBaMAAvS8kv6jY1rKjdo/aj8h+2mBR+0n336PqMT/SybG/L+xIfJ/X403GIPYIDGQHC3tr6mM+99Y4vP//4lwMIbZD+OD5EBqaGE/yFyQHbL69jjth8kRcgOp9oPC',
      '9dOBCKLtB6nFFxek2g+KW3Q78NkPwiA91LIflL5ItR+kh1r2w8wkxX4QHrWfOvaDzCUH08L/pOBR+0ftH7WfePtHAf0BAA==',
    ].join(''),
    48: [
      '7dmxTsJQFAZgXsSVEWdCiIbEBRMTSRAkFkLdfAMThjJ2wTgxk7Dg5OgkjiS+gC/gC/gCx/wXwUuNtpRjb0n+k/xJc3t6+hUuDFAosFgsVj6qVPeDUt2X3xLplT8S/OdM',
      '+umnn/5983+dDxL0za2+udJMDb/L0E9/bv2VRl8Gt115nnTk/aktF80TExxjDefQk0d/OPTk46Utsmits/Lba+hBb178eD1fZx3jfLg7i/WjB2u4JsV7oerH/d8eL43r',
      '4PBIRoPTWD960ItjXLvlM6j6p/dXa1caP4IZLvz+TW/DldaPYFbWfnyfaPkxK0s/9qx9/139SMLPgYo/unc0/An3kIp/HHrqfsykn/598Hevlw47MMFqr5VrNRN7DT2r',
      'Z7WDmVn5i9VzY9AMZrrcP7vG9f6nn3766aeffsf+48jvwT8yDr1AFi3VYGbcfWHjP6ws1nd9Ag==',
    ].join(''),
  },
  prompt: {
    22: [
      'Y2AYmkDPK8kBCSvoeSUJoIkJoItB9Smgi6GZ+x8JN0DVIYs5oItB9TWgiw0jc+/reSWdRxM7j0VsP1QtseaSjYk11zoo8X9nY+z/BT2hYAxig8QoMTc0KeF/cZbX//8n',
      'wv8fXxQIxiA2SAwkR465HlGJ/z8diPgfFuqKYS5IDCQHUkOquUsmxsDNwGbu/2uN/08fWff/9KUb/6cv3fg/qbyTKHNPr4zCbu7ppP879h3+/+vZk/+v50yBYxB/37Fz',
      '/////y9AlrnvTv//sHXd/5uupv+vWWrAMYgPEv////96fOaW5Qf+76vx/m/p5ASmizI8/s+ZXA52F7qZyGaD5P///+9AyL0o+MlqsJ+xmQnDIPn///83kGTux6vEmrt/',
      'ULj3WiNtwheESUwPxAJQ+gTpxZZ+QeLo6ZcM8x1A4QiKIyiNUgcBAA==',
    ].join(''),
    32: [
      'Y2AYBaMAAvS8kv6jY1rKjdo/aj8h+2mBR+0n336PqMT/SybG/L+xIfJ/X403GIPYIDGQHC3tr6mM+99Y4vP//4lwMIbZD+OD5EBqaGE/yFyQHbL69jjth8kRcgOp9oPC',
      '9dOBCKLtB6nFFxek2g+KW3Q78Nn//3TS/32b+v9PX7oRjPObJ/+3Ds0h235Q+iLGfm0b7///Xx34jwts3H0E7A5S7YeZj9f+S+X/P376DLbn7YqF/+/FBfy/ZqkBxiA2',
      'SAwEPn35CqIMqGr/6aT///98/f/n8ycUe9ExSA6k5v///+////8vQDX7oWGOz25kN0DBfGLtB9mJC4PjHBrmhOyGYVhcoIcBMf7HwDd7iPY7ljAIoNj+J6vBBhFrNwxD',
      'QcOQt3+gwx+U9wYy/YEwjfMfQfupVP5QAkBlKtRcvOUvVI0BLfpPID+BwvU/bjCf2v7G4w5QRDdAcQAuewE=',
    ].join(''),
    48: [
      '7ZjPSwJBFMf7R7pGp+rSISKSIgKDqKCySCu9VdBRBCGjLkIkFeQ56FKXOtrFBKEMwSDoN4IEHusQRMcX3213GY1dd8fRXWO+8IVh9u2bz+y+mR1ta5OSkpJyh7q8wViX',
      'N0hGroolE8camVPyS37JL/lbjV+9HrMQd8nEXQrKKYLfSUt+ye9a/v6pZYpGApQ+mqdyykcz0yOK0UYfriHGjfzxTT99ZnxEuVndGj/bhxjEuoUfzzN/Mq9wnibGa/Ij',
      'Bn24h+NdCOXH+E/ncwpXe/cg7UbHavIjBrFo416bcxDKf7y3oHPx8MPI4QR/cGWxgouXH0auZvNjPxHFj1zTaxsUDMcVo91IftQsOz43//MO0UeejJS+KtD61oFw/ura',
      'scs/OhMi+iqRVT0V37R3IoQ/Gfdz899n9ivYvgo3VN6K0OvUMD30dSpGG324xuoim084yl881Fm+Xx6ptBrQmY2MGMQyWnKE/y5cwf480luTXTNiq+bQ03R+td7tshvM',
      '4bYe/kDodx2yBj9Y2b6+oSHFqZNt/cFZqRmzWmI0wcvfMTCp8Fp1Kp3V1yovu2ZmTZ+JrB9Tq8KeUi8/cmhqCj+zbtk9ktfIYbaOhfM/bOqD1cuumZFH8v/z+mn19Qur',
      'Z8yW3T9xTnbR98s2v8vOD1z8zTu/ear+D/7jZNwfo9ysfb9fJxp9fm60MD7v7xen2Zk59KCGybpuzWrGwXlMYB804T4z2mdcOBe8E49qy8/6Bw==',
    ].join(''),
  },
  off: {
    22: [
      '7ZCxDYMwEEUZgRHYBNrr3LmiMA09FSU0LOCOIehcZwRGyCgXfcuKrBNKwKQIUSx92Xr+92Q5y665iKiKUhBRLlguWZgrJBNejjKEXswqycLcINkPee9EtAq2brBb6O71',
      'JmevVynFfd/zOI4+OIOd8dZ1zU3TsHOOrbU+OIPhLsWrteZlWfzbpBcMd+gc9U7T9HRsebGjc9Q7z/NbLzrf4m3blruu47Is/W6M8YkZOqnvfZUz//D3fsZ7lfUA',
    ].join(''),
    32: [
      '7dLNDYAgDAVgJ2IPJmAIbgzBHizAjflqnqYXEn9qqKfX5CVihQ/FbWOxzooxyhzPHn36T75H6H/3U0pSa5XWmpRSjuAa99Dz9GHlnGWMcUR9HaOHsYevTgjh0tfe0x6s',
      'Pr5r7/21j2fvzsLq42xn485HMGeVj//L6mPOKl/XtPgI/TU+1v0Sj/e3hD59+u991v+1Aw==',
    ].join(''),
    48: [
      '7dk7roMwEAXQrIgVIJHWHRugYwVUdEYUbICOjo6KznWW5uhaz3kOUUI+E0ykO9JV+AzDQbIilBwOLBaLtY9SSjVKKXsvi177IM03Z9JPP/30/5r/73zzRN8p6DsJzZTw',
      'xwz99O/Wn+e5rarK9n1vp2ly+wi2cQznsL9Hf13Xdp5na4y5xPvDY+hB71788A3D4D7btl31oye8JqYf9x/H0bmSJHHrY82PHvRiG9e++Ayi/q7rLq53/AhmxPCXZXnl',
      'etePYNbWfnyfSPkxa0v/0vSp3/du5V+uHQn/k2tIxK+1FvdjJv30/4K/KArnCAOTf3/zybLMJTyGHv+sYTBzK3+aps4gGcyMuX4+Tez1Tz/99NNPP/2R/cfF78E30Vo3',
      'xhjRYObafWHjP6ws1n+dAQ==',
    ].join(''),
  },
}

/** Red, green, blue and opacity of each pixel, row by row. */
export const iconPixels = (size: IconSize, kind: IconKind): Buffer => inflateRawSync(Buffer.from(DEFLATED[kind][size], 'base64'))
