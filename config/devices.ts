import env from '#start/env'

/** Whose certificates of devices are believed: a file of certificates in PEM; null for nobody's. */
export const authoritiesFile = env.get('DEVICE_AUTHORITIES') ?? null
