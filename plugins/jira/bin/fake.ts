/*
 * `node --import=./bin/typescript.js plugins/jira/bin/fake.ts`: serves a fake Jira with a project
 * `SHOP` on the site `acme.atlassian.net` on loopback, for a service that runs with
 * `PROVIDER_HOSTS=*.atlassian.net=<origin>,api.atlassian.com=<origin>,auth.atlassian.com=<origin>`.
 */
import { serve } from '@tarmac/plugin-kit/testing'
import { JiraFake } from '../src/fake/jira_fake.js'
import { sampleScenario } from '../src/fake/sample_scenario.js'

// Uses the machine's time, so that tokens expire when the service expects it.
const fake = new JiraFake(Date.now)
fake.seed(sampleScenario())
const { origin } = await serve(fake, Number(process.env.PORT ?? 0))
process.stdout.write(`${origin}\n`)
