import { readFile } from 'node:fs/promises'
import { X509Certificate } from 'node:crypto'
import config from '@adonisjs/core/services/config'
import logger from '@adonisjs/core/services/logger'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * Returns the trusted issuers of device certificates, as `DEVICE_AUTHORITIES` names them; none by
 * default.
 */
export async function authorities(): Promise<X509Certificate[]> {
  const file = config.get<string | null>('devices.authoritiesFile')
  if (file === null) return []
  try {
    const text = await readFile(file, 'utf8')
    return (text.match(CERTIFICATE) ?? []).map((each) => new X509Certificate(each))
  } catch (error) {
    // Devices can still be registered, but none is verified.
    logger.warn({ err: error, file }, 'DEVICE_AUTHORITIES cannot be read')
    return []
  }
}
