/*
 * `node --import=./bin/typescript.js plugins/github/bin/fake.ts`: GitHub on loopback, with a
 * repository `acme/app`, for a service that runs with
 * `PROVIDER_HOSTS=api.github.com=<origin>,*.blob.core.windows.net=<origin>`.
 */
import { serve } from '@tarmac/plugin-kit/testing'
import { GitHubFake } from '../src/fake/github_fake.js'
import { sampleScenario } from '../src/fake/sample_scenario.js'

// In the time of the machine: tokens end when the service thinks so.
const fake = new GitHubFake(Date.now)
fake.seed(sampleScenario())
const { origin } = await serve(fake, Number(process.env.PORT ?? 0))
process.stdout.write(`${origin}\n`)
