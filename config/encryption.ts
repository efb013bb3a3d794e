import { hkdfSync } from 'node:crypto'
import { defineConfig, drivers } from '@adonisjs/core/encryption'
import env from '#start/env'

/** Derives a separate key for one kind of secret from the application key. */
function keyFor(kind: string): string {
  return Buffer.from(hkdfSync('sha256', env.get('APP_KEY'), '', `tarmac ${kind}`, 32)).toString(
    'base64url'
  )
}

/**
 * Returns the keys for providers' credentials: the first encrypts, all decrypt. The derived key
 * stays last, so that credentials from before the setting remain readable.
 */
function credentialsKeys(): [string, ...string[]] {
  const given = (env.get('CREDENTIALS_KEY') ?? '').split(',').map((key) => key.trim())
  const keys = given.filter((key) => key !== '')
  if (keys.some((key) => key.length < 32)) {
    throw new Error('Each key of CREDENTIALS_KEY has to have 32 characters or more.')
  }
  const [first, ...others] = [...keys, keyFor('credentials')]
  return [first, ...others]
}

const config = defineConfig({
  default: 'app',
  list: {
    app: drivers.aes256gcm({ id: 'tarmac', keys: [env.get('APP_KEY')] }),
    webhooks: drivers.aes256gcm({ id: 'webhooks', keys: [keyFor('webhooks')] }),
    credentials: drivers.aes256gcm({ id: 'credentials', keys: credentialsKeys() }),
  },
})

export default config

declare module '@adonisjs/core/types' {
  interface EncryptorsList extends InferEncryptors<typeof config> {}
}
