/*
 * `node --import=./bin/typescript.js plugins/google-play/bin/fake.ts`: Google Play on loopback,
 * with an app `com.acme.app`, for a service that runs with
 * `PROVIDER_HOSTS=androidpublisher.googleapis.com=<origin>,oauth2.googleapis.com=<origin>`.
 */
import { serve } from '@tarmac/plugin-kit/testing'
import { GooglePlayFake } from '../src/fake/google_fake.js'
import { sampleScenario } from '../src/fake/sample_scenario.js'

// In the time of the machine: tokens end when the service thinks so.
const fake = new GooglePlayFake(Date.now)
fake.seed(sampleScenario())
const { origin } = await serve(fake, Number(process.env.PORT ?? 0))
process.stdout.write(`${origin}\n`)
