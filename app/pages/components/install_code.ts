import { qrCode } from '#foundation/api/http/qr_code'

/** Draws a QR code of an install page, for the camera of another device. */
export const installCode = (url: string): string =>
  qrCode(url, 'QR code of the install page').toString()
