/*
 * `node --import=./bin/typescript.js plugins/google-play/bin/fake.ts`: serves a fake Google Play
 * with an app `com.acme.app` on loopback, for a service and commands that run with
 * `PROVIDER_HOSTS=androidpublisher.googleapis.com=<origin>,playdeveloperreporting.googleapis.com=<origin>,oauth2.googleapis.com=<origin>`.
 * It prints its origin, and the key file of a service account that it accepts.
 */
import { generateKeyPairSync } from 'node:crypto'
import { serve } from '@tarmac/plugin-kit/testing'
import { GooglePlayFake } from '../src/fake/google_fake.js'
import { sampleScenario } from '../src/fake/sample_scenario.js'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const keyFile = {
  type: 'service_account',
  project_id: 'acme',
  private_key_id: 'key-of-the-fake',
  private_key: privateKey,
  client_email: 'tarmac@acme.iam.gserviceaccount.com',
  client_id: '100000000000000000001',
  auth_uri: 'https://accounts.google.com/o/oauth2/auth',
  token_uri: 'https://oauth2.googleapis.com/token',
}

// Uses the machine's time, so that tokens expire when the service expects it.
const fake = new GooglePlayFake(Date.now)
fake.seed(sampleScenario())
const { origin } = await serve(fake, Number(process.env.PORT ?? 0))
process.stdout.write(`${origin}\n${JSON.stringify(keyFile)}\n`)
