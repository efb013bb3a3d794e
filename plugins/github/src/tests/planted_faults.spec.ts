import { test } from '@japa/runner'
import type { Plugin } from '@tarmac/plugin-kit'
import { registerPlantedFaults, type PlantedFault } from '@tarmac/plugin-kit/testing'
import GitHubActions from '../capabilities/actions.js'
import GitHubCode from '../capabilities/version_control.js'
import { GitHubFake } from '../fake/github_fake.js'
import plugin from '../plugin.js'
import webhooks from '../webhooks.js'

/*
 * The conformance suite finds faults that this plugin might have: each one fails the rule about it.
 */

const options = {
  fake: () => new GitHubFake(),
  credentials: { good: { token: 'good-token-4711' }, bad: { token: 'bad-token-4711' } },
  data: {
    versionControl: { repoName: 'acme/app' },
    ci: { workflowId: 'release.yml' },
  },
}

const withCode = (Broken: typeof GitHubCode): Plugin => ({
  ...plugin,
  capabilities: { ...plugin.capabilities, versionControl: async () => ({ default: Broken }) },
})

const withCi = (Broken: typeof GitHubActions): Plugin => ({
  ...plugin,
  capabilities: { ...plugin.capabilities, ci: async () => ({ default: Broken }) },
})

type Trigger = Parameters<GitHubActions['trigger']>

const FAULTS: readonly PlantedFault[] = [
  {
    what: 'an existing branch is taken for the requested one, whatever its commit',
    rule: 'versionControl.C3',
    broken: withCode(
      class extends GitHubCode {
        override async createBranch(name: string, sha: string) {
          return super.createBranch(name, sha).catch(() => ({ name, sha }))
        }
      }
    ),
  },
  {
    what: 'a comparison keeps the order of GitHub',
    rule: 'versionControl.C4',
    broken: withCode(
      class extends GitHubCode {
        override async compare(base: string | null, head: string, cursor?: string) {
          const compared = await super.compare(base, head, cursor)
          return { ...compared, items: compared.items.toReversed() }
        }
      }
    ),
  },
  {
    what: 'a file is read as Latin-1',
    rule: 'versionControl.C9',
    broken: withCode(
      class extends GitHubCode {
        override async readFile(path: string, ref: string) {
          const file = await super.readFile(path, ref)
          return file && { ...file, text: Buffer.from(file.text).toString('latin1') }
        }
      }
    ),
  },
  {
    what: 'a cherry-pick does not look for an earlier result',
    rule: 'versionControl.C15',
    broken: withCode(
      class extends GitHubCode {
        override cherryPick(...[sha, onto, branch, m]: Parameters<GitHubCode['cherryPick']>) {
          const idempotencyKey = `${m.idempotencyKey}-${Math.random()}`
          return super.cherryPick(sha, onto, branch, { idempotencyKey })
        }
      }
    ),
  },
  {
    what: 'a workflow is dispatched again when its request is repeated',
    rule: 'ci.R5',
    broken: withCi(
      class extends GitHubActions {
        override trigger(...[id, at, inputs, { idempotencyKey }]: Trigger) {
          // As if nothing had been dispatched before.
          return super.trigger(id, at, inputs, { idempotencyKey })
        }
      }
    ),
  },
  {
    what: 'a run that was dispatched lately is taken for the requested one',
    rule: 'ci.C6',
    broken: withCi(
      class extends GitHubActions {
        override trigger(...[id, at, inputs, { idempotencyKey }]: Trigger) {
          const inDoubtSince = new Date(this.context.now().getTime() - 120_000).toISOString()
          return super.trigger(id, at, inputs, { idempotencyKey, inDoubtSince })
        }
      }
    ),
  },
  {
    what: 'an unknown conclusion counts as a failure',
    rule: 'ci.R7',
    broken: withCi(
      class extends GitHubActions {
        override async getRun(id: string) {
          const run = await super.getRun(id)
          const state = run?.status.state === 'unknown' ? 'failed' : run?.status.state
          return run && { ...run, status: { ...run.status, state: state! } }
        }
      }
    ),
  },
  {
    what: 'a delivery is accepted whoever signed it',
    rule: 'W2',
    broken: {
      ...plugin,
      webhooks: async () => ({ default: { ...webhooks, verify: () => true } }),
    },
  },
]

registerPlantedFaults({ test, plugin, ...options, faults: FAULTS })
