/*
 * `node --import=./bin/typescript.js plugins/app-store-connect/bin/fake.ts`: serves a fake App
 * Store Connect with an app `com.acme.app` on loopback, for a service that runs with
 * `PROVIDER_HOSTS=api.appstoreconnect.apple.com=<origin>,*.blobstore.apple.com=<origin>`. It prints
 * its origin, and the credentials of a team key that it accepts.
 */
import { generateKeyPairSync } from 'node:crypto'
import { serve } from '@tarmac/plugin-kit/testing'
import { AppStoreConnectFake } from '../src/fake/app_store_connect_fake.js'
import { sampleScenario } from '../src/fake/sample_scenario.js'

const { publicKey, privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const issuerId = '57246542-96fe-1a63-e053-0824d011072a'
const keyId = '2X9R4HXF34'

// Uses the machine's time, which tokens are signed with.
const fake = new AppStoreConnectFake({ [keyId]: { publicKey, issuerId } }, Date.now)
fake.seed(sampleScenario())
const { origin } = await serve(fake, Number(process.env.PORT ?? 0))
process.stdout.write(`${origin}\n${JSON.stringify({ issuerId, keyId, privateKey })}\n`)
