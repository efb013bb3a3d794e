/*
 * `node --import=./bin/typescript.js plugins/slack/bin/fake.ts`: serves a fake Slack with a channel
 * `C0RELEASES` on loopback, for a service that runs with
 * `PROVIDER_HOSTS=slack.com=<origin>,hooks.slack.com=<origin>`.
 */
import { serve } from '@tarmac/plugin-kit/testing'
import { SlackFake } from '../src/fake/index.js'

const fake = new SlackFake(Date.now)
fake.seed({
  chat: {
    channels: [{ id: 'C0RELEASES', name: 'releases' }],
    posts: [],
    users: [{ id: 'U0ADA', email: 'ada@example.com' }],
  },
})
const { origin } = await serve(fake, Number(process.env.PORT ?? 0))
process.stdout.write(`${origin}\n`)
