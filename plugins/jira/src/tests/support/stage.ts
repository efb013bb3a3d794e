import type { IssueTracking, ProviderError } from '@tarmac/plugin-kit'
import {
  Bench,
  type ConformanceOptions,
  type IssueTrackingScenario,
} from '@tarmac/plugin-kit/testing'
import { JiraFake } from '../../fake/jira_fake.js'
import plugin from '../../plugin.js'

const tokenOf = (username: string, password: string) => ({ username, password })

/** API tokens that the fake knows, and an unknown one. */
export const byToken = {
  good: tokenOf('bot@acme.example', 'good-api-token-4711'),
  bad: tokenOf('bot@acme.example', 'bad-api-token-4711'),
  readOnly: tokenOf('reader@acme.example', 'read-only-api-token'),
  other: tokenOf('two@acme.example', 'other-api-token-4712'),
}

const grantOf = (clientId: string, refreshToken: string) => ({
  ...{ clientId, clientSecret: `secret-of-${clientId}`, refreshToken },
})

export const byGrant = {
  good: grantOf('good-client-4711', 'good-refresh-token-4711'),
  bad: grantOf('good-client-4711', 'bad-refresh-token-4711'),
  other: grantOf('other-client-4712', 'other-refresh-token-4712'),
}

export const options = {
  plugin,
  fake: () => new JiraFake(),
  credentials: byToken as ConformanceOptions['credentials'],
  settings: { site: 'acme' } as Record<string, unknown>,
  data: { issueTracking: { projects: ['APP'] } },
}

type Ticket = IssueTrackingScenario['tickets'][number]

export const issue = (key: string, change: Partial<Ticket> = {}): Ticket => ({
  key,
  project: key.slice(0, key.lastIndexOf('-')),
  title: `Issue ${key}`,
  status: 'To do',
  labels: [],
  versions: [],
  ...change,
})

/** Sets up the plugin with the fake of a site that has some issues. */
export async function staged(
  tickets: Ticket[],
  {
    credentials = byToken.good,
    ...more
  }: Partial<Omit<typeof options, 'credentials'>> & {
    credentials?: Record<string, string>
  } = {}
) {
  const bench = new Bench({
    ...options,
    ...more,
    credentials: { ...byToken, good: credentials },
  })
  bench.seed({
    issueTracking: {
      statuses: [
        { name: 'To do', done: false },
        { name: 'Shipped', done: true },
      ],
      tickets,
      versions: [],
    },
  })
  const issues: IssueTracking = await bench.capability('issueTracking')
  return { bench, fake: bench.fake as JiraFake, issues }
}

export const refusal = (call: Promise<unknown>): Promise<ProviderError> =>
  call.then(
    () => {
      throw new Error('It went well')
    },
    (error: ProviderError) => error
  )
