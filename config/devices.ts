import env from '#start/env'

/** File of trusted issuers of device certificates, in PEM; null for none. */
export const authoritiesFile = env.get('DEVICE_AUTHORITIES') ?? null
