/*
 * A small model of one app's releases, written from the rules and not from the code: the status of
 * each call, the resulting state, and the events. Its app has the short workflow of the fixtures,
 * one required item of each kind (the checklist item is on the approvals step), and ships through a
 * store with reviews.
 */

/** The versions of the model, in ascending order. */
export const VERSIONS = ['1.0.0', '1.0.1', '1.1.0', '1.9.0', '1.10.0', '2.0.0'] as const
export type ModelVersion = (typeof VERSIONS)[number]
const rank = (version: ModelVersion) => VERSIONS.indexOf(version)

export const TARGETS = ['targetKickoffAt', 'targetSubmitAt', 'targetReleaseAt'] as const
export type Kind = 'release' | 'hotfix'
export type ItemKind = 'checklist' | 'approval' | 'regression'

export type Command = { version: ModelVersion } & (
  | { ask: 'create'; kind: Kind }
  | { ask: 'rename'; name: string; stale: boolean }
  | { ask: 'plan'; targets: Partial<Record<(typeof TARGETS)[number], string | null>> }
  | { ask: 'renumber'; to: ModelVersion }
  | { ask: 'turn'; kind: Kind }
  | { ask: 'delete' | 'skip' | 'unskip' | 'kickoff' | 'complete' }
  | { ask: 'describe'; value: number }
  | { ask: 'item'; kind: ItemKind; status: string }
  | { ask: 'regression'; status: string }
  | { ask: 'approve'; approved: boolean }
)

/** The caller of an operation. A caller without groups that is no admin is a read-only key. */
export interface ModelActor {
  name: string
  may: (action: string) => boolean
  hasGroups: boolean
  /** The status of every call, for a caller outside of the organization or the app scope. */
  always?: 403 | 404
}

interface ModelRelease {
  version: ModelVersion
  kind: Kind
  base: ModelVersion | null
  status: 'upcoming' | 'active' | 'completed' | 'skipped'
  kickedOff: boolean
  name: string | null
  targets: Record<(typeof TARGETS)[number], string | null>
  value: number | null
  items: Record<ItemKind, string>
  /** Names of the callers whose votes count. */
  approvedBy: string[]
  handSet: string | null
  screenshots: { approved: boolean; touched: boolean } | null
}

export interface Outcome {
  status: number
  events: string[]
}

class Refused extends Error {
  constructor(readonly status: number) {
    super(String(status))
  }
}

const DONE = ['complete', 'notApplicable', 'approved', 'passed']
const BLOCKING = ['blocked', 'rejected', 'failed']
const STEP_OF_REGRESSION: Record<string, string> = { failed: 'blocked', passed: 'complete' }
const ACTION_OF_ITEM: Record<ItemKind, string> = {
  checklist: 'UpdateChecklistItemStatus',
  approval: 'UpdateApprovalItemStatus',
  regression: 'UpdateRegressionTesting',
}
const LEGAL: Record<ItemKind, string[]> = {
  checklist: ['notStarted', 'inProgress', 'complete', 'blocked', 'notApplicable'],
  approval: ['notStarted', 'inProgress', 'approved', 'rejected', 'blocked'],
  regression: ['notStarted', 'inProgress', 'passed', 'failed', 'blocked', 'notApplicable'],
}

/** Derives statuses, readiness and phase of a release from its facts. */
export function derived(release: ModelRelease) {
  const { items, handSet, kickedOff, screenshots, status } = release
  const regressionStatus =
    handSet ?? (DONE.includes(items.regression) ? 'passed' : items.regression)
  const both = [items.approval, items.checklist]
  let approvals = 'inProgress'
  if (both.some((item) => BLOCKING.includes(item))) approvals = 'blocked'
  else if (both.every((item) => DONE.includes(item))) approvals = 'complete'
  else if (both.every((item) => item === 'notStarted')) approvals = 'notStarted'
  const steps: Record<string, string> = {
    kickoff: kickedOff ? 'complete' : 'notStarted',
    regressionTesting: STEP_OF_REGRESSION[regressionStatus] ?? regressionStatus,
    ...(screenshots ? { screenshots: screenshots.approved ? 'complete' : 'notStarted' } : {}),
    approvals,
    submission: 'notStarted',
  }
  const readyToSubmit =
    status !== 'skipped' &&
    ['kickoff', 'regressionTesting', 'approvals'].every((step) => steps[step] === 'complete')
  let phase = 'upcoming'
  if (status === 'skipped') phase = 'skipped'
  else if (status === 'completed' && kickedOff) phase = 'released'
  else if (readyToSubmit) phase = 'readyToSubmit'
  else if (kickedOff) phase = 'kickedOff'
  return { steps, regressionStatus, readyToSubmit, phase }
}

export class ReleaseModel {
  readonly releases = new Map<ModelVersion, ModelRelease>()
  /** Former versions of releases. */
  readonly #aliases = new Map<ModelVersion, ModelRelease>()

  /** Applies a call to the model. A refused call changes nothing. */
  play(command: Command, actor: ModelActor): Outcome {
    try {
      return this.#play(command, actor)
    } catch (error) {
      if (error instanceof Refused) return { status: error.status, events: [] }
      throw error
    }
  }

  #play(command: Command, actor: ModelActor): Outcome {
    if (actor.always) throw new Refused(actor.always)
    const need = (...anyOf: string[]) => {
      if (!anyOf.some(actor.may)) throw new Refused(403)
    }
    switch (command.ask) {
      case 'create':
        need('CreateDeleteRelease', 'CreateHotfix')
        need(command.kind === 'release' ? 'CreateDeleteRelease' : 'CreateHotfix')
        return this.#create(command.version, command.kind)
      case 'rename':
        need('EditRelease', 'UpdateReleaseTargetDates')
        return this.#change(command, ({ release }) => {
          if (command.stale) throw new Refused(412)
          if (release.name === command.name) return
          need('EditRelease')
          release.name = command.name
        })
      case 'plan':
        need('EditRelease', 'UpdateReleaseTargetDates')
        return this.#change(command, (call) => {
          const wanted = { ...call.release.targets, ...command.targets }
          if (TARGETS.every((name) => wanted[name] === call.release.targets[name])) return
          need('UpdateReleaseTargetDates')
          const given = TARGETS.flatMap((name) => wanted[name] ?? [])
          if (given.some((at, index) => index > 0 && at < given[index - 1])) throw new Refused(422)
          call.release.targets = wanted
          call.events.push('release.targetDateUpdated')
        })
      case 'renumber':
        need('EditRelease', 'UpdateReleaseTargetDates')
        return this.#change(command, ({ release }) => {
          if (command.to === release.version) return
          need('EditRelease')
          this.#renumber(release, command.to)
        })
      case 'turn':
        need('EditRelease', 'UpdateReleaseTargetDates')
        return this.#change(command, ({ release }) => {
          if (command.kind === release.kind) return
          need('EditRelease')
          this.#requireNotFixed(release)
          need(command.kind === 'release' ? 'CreateDeleteRelease' : 'CreateHotfix')
          this.#turn(release, command.kind)
        })
      case 'describe':
        need('EditRelease')
        return this.#change(command, ({ release }) => {
          release.value = command.value
        })
      case 'kickoff':
        need('CreateBranchPromoteCode')
        return this.#change(command, ({ release, events }) => {
          this.#requireOpen(release)
          if (release.kickedOff) return
          Object.assign(release, { kickedOff: true, status: 'active' })
          events.push('release.kickedOff')
        })
      case 'item':
        if (!actor.hasGroups && !actor.may(ACTION_OF_ITEM[command.kind])) throw new Refused(403)
        return this.#change(command, (call) => {
          need(ACTION_OF_ITEM[command.kind])
          if (!LEGAL[command.kind].includes(command.status)) throw new Refused(422)
          this.#requireOpen(call.release)
          if (command.kind === 'approval') {
            this.#count(call.release, command.status, actor.name)
          }
          this.#setItem(call, command.kind, command.status)
        })
      case 'regression':
        need('UpdateRegressionTesting')
        return this.#change(command, ({ release }) => {
          this.#requireOpen(release)
          release.handSet = command.status
        })
      case 'approve':
        need('ApproveScreenshotsMetadata')
        return this.#change(command, ({ release }) => {
          if (!release.screenshots) throw new Refused(409)
          this.#requireOpen(release)
          if (release.screenshots.approved === command.approved) return
          release.screenshots = { approved: command.approved, touched: true }
        })
      case 'delete':
        need('CreateDeleteRelease')
        return this.#delete(command.version)
      case 'skip':
      case 'unskip':
      case 'complete':
        need('CreateDeleteRelease')
        return this.#change(command, ({ release, events }) => {
          const before = release.status
          this.#changeStatus(release, command.ask)
          const completes = before !== 'completed' && release.status === 'completed'
          if (completes && release.kickedOff) events.push('release.released')
        })
    }
  }

  /** Changes a release, and records the events of the derived changes. */
  #change(
    { version }: Command,
    change: (call: { release: ModelRelease; events: string[] }) => void
  ): Outcome {
    const release = this.#find(version)
    const before = derived(release)
    const events: string[] = []
    change({ release, events })
    const after = derived(release)
    if (before.regressionStatus !== after.regressionStatus) {
      events.push(
        `release.regressionStatusUpdated ${before.regressionStatus} ${after.regressionStatus}`
      )
    }
    for (const [type, to] of Object.entries(after.steps)) {
      const from = before.steps[type] ?? 'notStarted'
      if (from !== to) events.push(`releaseStep.statusChanged ${type} ${from} ${to}`)
    }
    if (!before.readyToSubmit && after.readyToSubmit) events.push('release.stepsReadyToSubmit')
    this.#moveTrain()
    return { status: 200, events }
  }

  #find(version: ModelVersion): ModelRelease {
    const release = this.releases.get(version)
    if (release) return release
    throw new Refused(this.#aliases.has(version) ? 308 : 404)
  }

  #create(version: ModelVersion, kind: Kind): Outcome {
    if (this.releases.has(version)) throw new Refused(409)
    const base = kind === 'hotfix' ? VERSIONS[0] : null
    if (base && rank(version) <= rank(base)) throw new Refused(422)
    this.#aliases.delete(version)
    this.releases.set(version, {
      version,
      kind,
      base,
      status: this.#placeOf(kind),
      kickedOff: false,
      name: null,
      targets: { targetKickoffAt: null, targetSubmitAt: null, targetReleaseAt: null },
      value: null,
      items: { checklist: 'notStarted', approval: 'notStarted', regression: 'notStarted' },
      approvedBy: [],
      handSet: null,
      screenshots: kind === 'release' ? { approved: false, touched: false } : null,
    })
    return { status: 201, events: ['release.created'] }
  }

  #delete(version: ModelVersion): Outcome {
    const release = this.#find(version)
    if (release.status === 'completed') throw new Refused(409)
    this.releases.delete(version)
    for (const [alias, target] of this.#aliases) {
      if (target === release) this.#aliases.delete(alias)
    }
    this.#moveTrain()
    return { status: 204, events: [] }
  }

  #renumber(release: ModelRelease, to: ModelVersion) {
    this.#requireNotFixed(release)
    if (release.base && rank(to) <= rank(release.base)) throw new Refused(422)
    if (this.releases.has(to)) throw new Refused(409)
    this.releases.delete(release.version)
    this.#aliases.set(release.version, release)
    this.#aliases.delete(to)
    release.version = to
    this.releases.set(to, release)
    this.#followWorkflow(release)
  }

  #turn(release: ModelRelease, kind: Kind) {
    const completed = [...this.releases.values()]
      .filter(({ status, kickedOff }) => status === 'completed' && kickedOff)
      .sort((a, b) => rank(b.version) - rank(a.version))
    if (kind === 'hotfix' && completed.length === 0) throw new Refused(422)
    const base = kind === 'hotfix' ? completed[0].version : null
    if (base && rank(release.version) <= rank(base)) throw new Refused(422)
    Object.assign(release, { kind, base })
    if (release.status !== 'skipped') release.status = this.#placeOf(kind, release)
    this.#followWorkflow(release)
  }

  #changeStatus(release: ModelRelease, ask: Command['ask']) {
    if (ask === 'complete') {
      if (release.status === 'upcoming' || release.status === 'skipped') throw new Refused(409)
      release.status = 'completed'
      return
    }
    if (release.status === 'completed') throw new Refused(409)
    if (ask === 'skip') {
      release.status = 'skipped'
      return
    }
    if (release.status !== 'skipped') throw new Refused(409)
    release.status = release.kickedOff ? 'active' : this.#placeOf(release.kind, release)
    this.#followWorkflow(release)
    // An unfinished step begins a new run, without the status that a person set for the last one.
    const { regressionTesting } = derived(release).steps
    if (['inProgress', 'blocked'].includes(regressionTesting)) release.handSet = null
  }

  /** Counts a vote, once per caller. Any other status withdraws all votes. */
  #count(release: ModelRelease, status: string, name: string) {
    if (status !== 'approved') release.approvedBy = []
    else if (!release.approvedBy.includes(name)) release.approvedBy.push(name)
  }

  #setItem(
    { release, events }: { release: ModelRelease; events: string[] },
    kind: ItemKind,
    status: string
  ) {
    const from = release.items[kind]
    if (from === status) return
    release.items[kind] = status
    if (kind === 'regression' && ['notStarted', 'inProgress'].includes(release.handSet ?? '')) {
      release.handSet = null
    }
    events.push(`checklistItem.statusChanged ${kind} ${from} ${status}`)
  }

  #requireOpen({ status }: ModelRelease) {
    if (status === 'completed' || status === 'skipped') throw new Refused(409)
  }

  /** Refuses a change of version or kind, which are fixed once the release is kicked off. */
  #requireNotFixed({ status, kickedOff }: ModelRelease) {
    if (status === 'completed' || kickedOff) throw new Refused(409)
  }

  /** Only plain releases have screenshots. An active release keeps a step that was worked on. */
  #followWorkflow(release: ModelRelease) {
    const { status, kind, screenshots } = release
    if (status === 'completed' || status === 'skipped') return
    if (kind === 'release') release.screenshots ??= { approved: false, touched: false }
    else if (!(status === 'active' && screenshots?.touched)) release.screenshots = null
  }

  #placeOf(kind: Kind, self?: ModelRelease): 'upcoming' | 'active' {
    return kind === 'release' && this.#train(self).some(({ status }) => status === 'active')
      ? 'upcoming'
      : 'active'
  }

  #train(without?: ModelRelease) {
    return [...this.releases.values()].filter(
      (release) => release.kind === 'release' && release !== without
    )
  }

  #moveTrain() {
    const train = this.#train()
    if (train.some(({ status }) => status === 'active')) return
    const [next] = train
      .filter(({ status }) => status === 'upcoming')
      .sort((a, b) => rank(a.version) - rank(b.version))
    if (next) next.status = 'active'
  }
}
