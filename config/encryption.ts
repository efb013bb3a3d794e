import { hkdfSync } from 'node:crypto'
import { defineConfig, drivers } from '@adonisjs/core/encryption'
import env from '#start/env'

/** A key of its own for one kind of secret, derived from the application key. */
function keyFor(kind: string): string {
  return Buffer.from(hkdfSync('sha256', env.get('APP_KEY'), '', `tarmac ${kind}`, 32)).toString(
    'base64url'
  )
}

/**
 * Keys of the credentials of providers: the first encrypts, all of them decrypt. The one that is
 * derived stays last, so that what was stored before a key was given can be read.
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
