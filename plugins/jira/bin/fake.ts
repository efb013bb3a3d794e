/*
 * `node --import=./bin/typescript.js plugins/jira/bin/fake.ts`: Jira on loopback, with a project
 * `SHOP` on the site `acme.atlassian.net`, for a service that runs with
 * `PROVIDER_HOSTS=*.atlassian.net=<origin>,api.atlassian.com=<origin>,auth.atlassian.com=<origin>`.
 */
import { serve } from '@tarmac/plugin-kit/testing'
import { JiraFake } from '../src/fake/jira_fake.js'
import { sampleScenario } from '../src/fake/sample_scenario.js'

// In the time of the machine: tokens end when the service thinks so.
const fake = new JiraFake(Date.now)
fake.seed(sampleScenario())
const { origin } = await serve(fake, Number(process.env.PORT ?? 0))
process.stdout.write(`${origin}\n`)
