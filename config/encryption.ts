import { hkdfSync } from 'node:crypto'
import { defineConfig, drivers } from '@adonisjs/core/encryption'
import env from '#start/env'

/** A key of its own for one kind of secret, derived from the application key. */
function keyFor(kind: string): string {
  return Buffer.from(hkdfSync('sha256', env.get('APP_KEY'), '', `tarmac ${kind}`, 32)).toString(
    'base64url'
  )
}

const config = defineConfig({
  default: 'app',
  list: {
    app: drivers.aes256gcm({ id: 'tarmac', keys: [env.get('APP_KEY')] }),
    webhooks: drivers.aes256gcm({ id: 'webhooks', keys: [keyFor('webhooks')] }),
  },
})

export default config

declare module '@adonisjs/core/types' {
  interface EncryptorsList extends InferEncryptors<typeof config> {}
}
