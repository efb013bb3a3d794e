import { as, select } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { CreateTriageIssue } from '#fixes/actions/create_triage_issue'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { ChangeRollout } from '#stores/actions/change_rollout'
import type { StoreOfRelease } from '#stores/queries/store_state'
import { standingStop } from '#stores/decisions/standing_stop'
import { judgementText } from '../guard/judgement_text.js'
import type { RolloutPolicy } from '../policy/policy.js'
import { stopGroup } from '../stop_group.js'
import { stopRelease } from '../stop_release.js'
import type { Finding, RolloutRow } from '../tables.js'

const ELSEWHERE = select(
  { id: as(text(), 'i.id') },
  `from rollouts r join triage_issues i on i.id = r.issue_id
  where r.organization_id = :org and r.release_id = :releaseId
    and i.status in ('open', 'fixRequested') order by i.created_at, i.id limit 1`
)

/** A rollout with its findings. */
export interface Judged {
  release: Release
  store: StoreOfRelease
  row: RolloutRow
  policy: RolloutPolicy
  found: readonly Finding[]
}

type Change = Pick<RolloutRow, 'issueId' | 'next' | 'calledFor' | 'stages'>

/** Stops an unhealthy version, and notifies people of the reason, once per stage. */
export class StopUnhealthy {
  constructor(private readonly scope: Scope) {}

  /** @param canStop whether the store allows a stop; people are notified in any case */
  async handle(judged: Judged, canStop: boolean): Promise<Change> {
    const { scope } = this
    const { release, store, row, found, policy } = judged
    const { unhealthyAt, ...stage } = row.stages.at(-1)!
    const { facts, plan, target, destinationId } = store
    const mayGoOn = facts.rollout.state === 'active' || plan?.rollout?.status === 'underWay'
    // A refused stop stands, and is repeated once the store changes.
    const isAsked = plan?.rollout?.status === 'failed' && standingStop(plan)?.isUrgent === true
    if (canStop && mayGoOn && !isAsked) {
      const to = { action: target.storeType === 'apple' ? 'pause' : 'halt' } as const
      await new ChangeRollout(scope).handle(release, to, { destinationId, isUrgent: true })
    }
    const reported = { next: null, calledFor: 'unhealthy', stages: row.stages }
    if (unhealthyAt !== undefined) return { ...reported, issueId: row.issueId }
    if (policy.stops !== 'own') {
      const spared = canStop ? null : store
      await stopRelease(scope, release, 'Stopped, as the version is unhealthy', spared)
    }
    if (policy.stops === 'appGroup') await stopGroup(scope, release)
    const { percentage } = stage
    const bad = found.filter(({ verdict }) => verdict === 'unhealthy').map(judgementText)
    const issueId =
      row.issueId ??
      (await this.#issueElsewhere(release)) ??
      (await new CreateTriageIssue(scope).handle(release.appId, {
        title: `${release.version} is unhealthy at ${percentage} %`,
        description: bad.join('\n'),
        source: 'observability',
        severity: 'critical',
        releaseId: release.publicId,
        affectedVersions: [release.version],
      }))
    const stops = mayGoOn ? 'is being stopped' : 'stays stopped'
    const stands = canStop ? stops : 'can no longer be paused and continues, though unhealthy,'
    recordReleaseEvent(scope, release, {
      type: canStop ? 'rollout.stopped' : 'rollout.held',
      title: `The rollout of ${release.version} ${stands} at ${percentage} %: ${bad.join('; ')}`,
      data: { reason: 'unhealthy', percentage, triageIssueId: issueId, call: policy.call },
      payload: null,
    })
    const stages = [...row.stages.slice(0, -1), { ...stage, unhealthyAt: scope.now }]
    return { ...reported, issueId, stages }
  }
  /**
   * Returns the open issue that the guard created because the version was unhealthy in another
   * store.
   */
  async #issueElsewhere({ id: releaseId }: Release): Promise<string | null> {
    const [issue] = await this.scope.rows(ELSEWHERE, { releaseId })
    return issue?.id ?? null
  }
}
