import type { CiRun } from '../../capabilities/source.js'
import type { ConformanceOptions } from '../../conformance/options.js'
import { ProviderError } from '../../provider_error.js'
import { KindsCi, KindsFlags, KindsOnCall, kindsSample } from './kinds_sample.js'

/** Plugins that break one rule of their kind each, by the rule. */
export const brokenKinds: Record<string, () => ConformanceOptions> = {
  'ci.R7': () => ciWith((run) => (run.status.state === 'unknown' ? withState(run, 'failed') : run)),
  'ci.C0': () =>
    kindsSample({
      ci: class extends KindsCi {
        override async getRun(id: string) {
          return (await super.getRun(id)) ?? { ...(await super.getRun('1'))!, id }
        }
      },
    }),
  'ci.C1': () =>
    kindsSample({
      ci: class extends KindsCi {
        override async trigger(...given: Parameters<KindsCi['trigger']>) {
          return { ...(await super.trigger(...given)), branch: 'main' }
        }
      },
    }),
  'ci.C2': () => ciWith((run) => (run.status.state === 'queued' ? withState(run, 'running') : run)),
  'ci.C3': () =>
    kindsSample({
      ci: class extends KindsCi {
        override async cancel(id: string, m: { idempotencyKey: string }) {
          const run = await this.getRun(id)
          if (run?.status.state === 'canceled') {
            throw new ProviderError('conflict', 'It is canceled', { outcome: 'notApplied' })
          }
          await super.cancel(id, m)
        }
      },
    }),
  'ci.C4': () =>
    kindsSample({
      ci: class extends KindsCi {
        override async openArtifact(runId: string, artifactId: string) {
          const stream = await super.openArtifact(runId, artifactId)
          const bytes = await new Response(stream as never).bytes()
          return new Blob([bytes.slice(0, -1)]).stream()
        }
      },
    }),
  'ci.C5': () =>
    kindsSample({
      ci: class extends KindsCi {
        override async openArtifact(runId: string, artifactId: string) {
          return super
            .openArtifact(runId, artifactId)
            .catch(() => new Blob(['']).stream() as ReadableStream<Uint8Array<ArrayBuffer>>)
        }
      },
    }),
  'ci.C6': () =>
    kindsSample({
      ci: class extends KindsCi {
        // Takes any run of the branch that has not ended.
        override async trigger(...given: Parameters<KindsCi['trigger']>) {
          const { items } = await this.listRuns({})
          const queued = items.find(({ status }) => status.state === 'queued')
          return queued ?? super.trigger(...given)
        }
      },
    }),
  'experimentation.C0': () =>
    kindsSample({
      flags: class extends KindsFlags {
        override async getFlag(environment: string, key: string) {
          const flag = await super.getFlag(environment, key)
          return flag ?? this.flagOf({ key, name: key, enabled: false, etag: '0' })
        }
      },
    }),
  'experimentation.C1': () =>
    flagsWith(async (change, given) => ({ ...(await change(...given)), enabled: false })),
  'experimentation.C2': () =>
    flagsWith((change, [environment, key, enabled, { etag: _, ...m }]) =>
      change(environment, key, enabled, m)
    ),
  'experimentation.C3': () =>
    flagsWith((change, given) =>
      change(...given).catch((error: ProviderError) => {
        if (error.code !== 'notFound') throw error
        throw new ProviderError('invalid', error.message, error.detail)
      })
    ),
  'onCall.C1': () => onDuty((people, at) => (at.endsWith('09:59:59.000Z') ? [] : people)),
  'onCall.C2': () =>
    onDuty((people, at) => (people.length > 0 ? people : [{ ...NOBODY, from: at, until: at }])),
  'onCall.C3': () => onDuty((people) => people.slice(0, 1)),
  'onCall.C4': () =>
    kindsSample({
      onCall: class extends KindsOnCall {
        override whoIsOnCall(scheduleId: string, at: string) {
          return super.whoIsOnCall(scheduleId, at.replace(/[+-]\d\d:\d\d$/, 'Z'))
        }
      },
    }),
  'onCall.C5': () => onDuty((people) => people.map((each) => ({ ...each, email: '' }))),
}

type Change = KindsFlags['setEnabled']
type Given = Parameters<Change>
type People = Awaited<ReturnType<KindsOnCall['whoIsOnCall']>>

const NOBODY = { name: 'Nobody', email: 'nobody@example.com' }

const withState = (run: CiRun, state: 'failed' | 'running'): CiRun => ({
  ...run,
  status: { ...run.status, state },
})

const ciWith = (change: (run: CiRun) => CiRun) =>
  kindsSample({
    ci: class extends KindsCi {
      protected override runOf(run: Parameters<KindsCi['runOf']>[0]) {
        return change(super.runOf(run))
      }
    },
  })

const flagsWith = (set: (change: Change, given: Given) => ReturnType<Change>) =>
  kindsSample({
    flags: class extends KindsFlags {
      override setEnabled(...given: Given) {
        return set((...changed) => super.setEnabled(...changed), given)
      }
    },
  })

const onDuty = (change: (people: People, at: string) => People) =>
  kindsSample({
    onCall: class extends KindsOnCall {
      override async whoIsOnCall(scheduleId: string, at: string) {
        return change(await super.whoIsOnCall(scheduleId, at), at)
      }
    },
  })
