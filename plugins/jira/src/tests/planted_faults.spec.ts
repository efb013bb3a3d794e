import { test } from '@japa/runner'
import type { Plugin, ReleaseTime, TicketFilter } from '@tarmac/plugin-kit'
import { registerPlantedFaults, type PlantedFault } from '@tarmac/plugin-kit/testing'
import JiraIssues from '../capabilities/issues.js'
import lifecycle from '../lifecycle.js'
import plugin from '../plugin.js'
import webhooks from '../webhooks.js'
import { byToken, options } from './support/stage.js'

/*
 * The conformance suite finds faults that this plugin might have: each one fails the rule about it.
 */

const withIssues = (Broken: typeof JiraIssues): Plugin => ({
  ...plugin,
  capabilities: { issueTracking: async () => ({ default: Broken }) },
})

const FAULTS: readonly PlantedFault[] = [
  {
    what: 'a text is put into JQL without escaping',
    rule: 'issueTracking.C4',
    broken: withIssues(
      class extends JiraIssues {
        override search(filter: TicketFilter, cursor?: string) {
          const label = filter.label?.replaceAll('"', '')
          return super.search({ ...filter, label }, cursor)
        }
      }
    ),
  },
  {
    what: 'a status counts as done by its name',
    rule: 'issueTracking.C3',
    broken: withIssues(
      class extends JiraIssues {
        override async get(key: string) {
          const ticket = await super.get(key)
          return ticket && { ...ticket, done: ticket.status === 'Done' }
        }
      }
    ),
  },
  {
    what: 'the token of the next page is lost',
    rule: 'issueTracking.P1',
    broken: withIssues(
      class extends JiraIssues {
        override async search(filter: TicketFilter, cursor?: string) {
          const { items } = await super.search(filter, cursor)
          return { items }
        }
      }
    ),
  },
  {
    what: 'keys are looked up by JQL, which refuses all of them if one is missing',
    rule: 'issueTracking.C6',
    broken: withIssues(
      class extends JiraIssues {
        override async search(filter: TicketFilter, cursor?: string) {
          const { items } = await super.search(filter, cursor)
          return { items: items.length === filter.keys?.length ? items : [] }
        }
      }
    ),
  },
  {
    what: 'a missing version is made when it should be released',
    rule: 'issueTracking.C8',
    broken: withIssues(
      class extends JiraIssues {
        override async releaseVersion(project: string, version: string, time: ReleaseTime) {
          await super.ensureVersion(project, version)
          return super.releaseVersion(project, version, time)
        }
      }
    ),
  },
  {
    what: 'missing permissions are not reported',
    rule: 'A3',
    broken: {
      ...plugin,
      lifecycle: async () => ({
        default: {
          ...lifecycle,
          check: async (ctx) => ({ ...(await lifecycle.check(ctx)), missingPermissions: [] }),
        },
      }),
    },
  },
  {
    what: 'a delivery is accepted whoever signed it',
    rule: 'W2',
    broken: { ...plugin, webhooks: async () => ({ default: { ...webhooks, verify: () => true } }) },
  },
  {
    what: 'a delivery is identified by an unsigned header',
    rule: 'W5',
    broken: {
      ...plugin,
      webhooks: async () => ({
        default: {
          ...webhooks,
          parse: (request) =>
            webhooks
              .parse(request)
              .map((event) => ({ ...event, deliveryId: String(request.receivedAt.getTime()) })),
        },
      }),
    },
  },
]

registerPlantedFaults({ test, ...options, credentials: byToken, faults: FAULTS })
