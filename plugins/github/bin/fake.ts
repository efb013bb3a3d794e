/*
 * `node --import=./bin/typescript.js plugins/github/bin/fake.ts`: serves a fake GitHub with a
 * repository `acme/app` on loopback, for a service that runs with
 * `PROVIDER_HOSTS=api.github.com=<origin>,*.blob.core.windows.net=<origin>`.
 */
import { serve } from '@tarmac/plugin-kit/testing'
import { GitHubFake } from '../src/fake/github_fake.js'
import { sampleScenario } from '../src/fake/sample_scenario.js'

// Uses the machine's time, so that tokens expire when the service expects it.
const fake = new GitHubFake(Date.now)
fake.seed(sampleScenario())
const { origin } = await serve(fake, Number(process.env.PORT ?? 0))
process.stdout.write(`${origin}\n`)
