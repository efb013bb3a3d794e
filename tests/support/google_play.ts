import { generateKeyPairSync } from 'node:crypto'
import { GooglePlayFake } from '@tarmac/plugin-google-play/fake'
import { FakeReset } from '@tarmac/plugin-kit/testing'
import { clock } from '#foundation/core/services'
import { inProcessHosts } from '#integrations/port/in_process'

/**
 * The fake of Google Play that the service reaches, on the service's clock; null while it is down.
 */
export const reached: { google: GooglePlayFake | null } = { google: null }

for (const host of [
  'androidpublisher.googleapis.com',
  'playdeveloperreporting.googleapis.com',
  'oauth2.googleapis.com',
]) {
  const respond = async (request: Request) => {
    if (reached.google === null) throw new FakeReset()
    return reached.google.answer(request)
  }
  inProcessHosts.extend({ host, answer: respond }).register()
}

export const makeGooglePlay = () => new GooglePlayFake(() => clock.milliseconds())

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

/** Credentials of a service account that the fake knows. */
export const credentials = {
  serviceAccount: JSON.stringify({
    type: 'service_account',
    private_key: privateKey,
    client_email: 'tarmac@acme.iam.gserviceaccount.com',
  }),
}
