import { qrCode } from '#foundation/api/http/qr_code'

/** Draws the address of an install page, which another device opens by its camera. */
export const installCode = (url: string): string =>
  qrCode(url, 'QR code of the install page').toString()
