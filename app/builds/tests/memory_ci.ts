import type {
  CiRun,
  ContinuousIntegration,
  IsTaken,
  RunRequest,
} from '#plugin-kit/capabilities/source'
import type { PluginContext } from '#plugin-kit/context'
import type { Plugin } from '#plugin-kit/plugin'
import { ProviderError } from '#plugin-kit/provider_error'
import { memoryPlugin } from '#tests/support/memory_plugin'

/** A CI system in memory, which records its requests. Like GitHub, it has no idempotency keys. */
export class CiInMemory {
  readonly runs: CiRun[] = []
  /** Ids of the runs that were requested here. */
  readonly dispatched = new Set<string>()
  /** True once a pending run was told to be another build's. */
  sawTaken = false
  readonly triggered: { key: string; inputs: Record<string, string> }[] = []
  /** Failures of the next requested runs, one each; polls do not use them up. */
  readonly failures: ProviderError[] = []
  /** Number of the next requested runs that begin, but whose answers are lost. */
  lostAnswers = 0
  /** The run that every request is answered with, instead of one of its own. */
  wrongRun: string | null = null
  /** True if triggering answers only a token, which does not resolve to a run yet. */
  hidesRuns = false
  /** True if the list of runs always claims to have another page. */
  isEndless = false
  /** Number of calls of `listRuns`. */
  lists = 0
  /** The error of listing the files of a run; null if it works. */
  unlisted: ProviderError | null = null
  files: Record<string, string> = { 'Acme.ipa': 'the app', 'log.txt': 'a log' }

  begin(change: Partial<CiRun> & { state?: CiRun['status']['state'] } = {}): CiRun {
    const { state = 'queued', ...rest } = change
    const id = `${this.runs.length + 1}`
    const status = {
      state,
      raw: state,
      beganAt: '2026-11-20T12:00:00.000Z',
      observedAt: '2026-11-20T12:00:00.000Z',
      lagSeconds: 0,
    }
    const known = { workflowId: 'release.yml', branch: 'release/1.4.0', sha: 'a'.repeat(40) }
    const run: CiRun = { id, number: `90${id}`, ...known, status, ...rest }
    this.runs.push(run)
    return run
  }

  become(id: string, state: CiRun['status']['state']): void {
    const run = this.runs.find((each) => each.id === id)!
    run.status = { ...run.status, state, raw: state }
  }

  get plugin(): Plugin {
    const ci = () => this
    const Capability = class implements ContinuousIntegration {
      constructor(readonly ctx: PluginContext) {}

      async listWorkflows() {
        return { items: [{ id: 'release.yml', name: 'Release' }] }
      }

      async trigger(
        workflowId: string,
        { branch }: { branch: string },
        inputs: Record<string, string>,
        { idempotencyKey: key, inDoubtSince, isTaken = () => false }: RunRequest
      ) {
        const failure = ci().failures.shift()
        if (failure) throw failure
        const { wrongRun } = ci()
        if (wrongRun !== null) return (await this.getRun(wrongRun))!
        const before = ci().runs.find((run) => ci().dispatched.has(run.id) && !isTaken(run))
        if (inDoubtSince !== undefined && before) return before
        ci().triggered.push({ key, inputs })
        const run = ci().begin({ workflowId, branch })
        ci().dispatched.add(run.id)
        if (ci().lostAnswers-- > 0) throw refusal('unavailable', 'unknown')
        return ci().hidesRuns ? { pendingToken: run.id } : run
      }

      async resolvePending(token: string, isTaken: IsTaken = () => false) {
        const run = await this.getRun(ci().wrongRun ?? token)
        ci().sawTaken ||= run !== null && isTaken(run)
        return ci().hidesRuns ? null : run
      }

      async getRun(id: string) {
        return structuredClone(ci().runs.find((each) => each.id === id)) ?? null
      }

      async listRuns({ branch }: { branch?: string }) {
        ci().lists += 1
        return {
          ...(ci().isEndless ? { next: 'again' } : {}),
          items: structuredClone(
            ci().runs.filter((each) => each.branch === (branch ?? each.branch))
          ),
        }
      }

      async listArtifacts() {
        const { unlisted } = ci()
        if (unlisted) throw unlisted
        return Object.entries(ci().files).map(([name, { length: bytes }]) => ({
          id: name,
          name,
          bytes,
        }))
      }

      async openArtifact(_runId: string, id: string) {
        return new Blob([ci().files[id]]).stream() as ReadableStream<Uint8Array>
      }
    }
    return memoryPlugin('memory-ci', 'CI in memory', {
      ci: { type: 'circleci', features: ['resolvePending'], does: Capability },
    })
  }
}

export const refusal = (code: 'invalid' | 'unavailable', outcome: 'notApplied' | 'unknown') =>
  new ProviderError(code, code === 'invalid' ? 'No such workflow' : 'Away', { outcome })
