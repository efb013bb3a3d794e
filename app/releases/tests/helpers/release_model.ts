/*
 * A small model of one app's releases, written from the rules and not from the code: what
 * each call answers, what it leaves behind and which events it fires. Its app has the short
 * workflow of the fixtures, one required item of each kind (the checklist item stands on the
 * approvals step), and ships through a store that reviews.
 */

/** In their order. */
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

/** The caller; without groups and not an admin, it is a read-only key. */
export interface ModelActor {
  name: string
  may: (action: string) => boolean
  hasGroups: boolean
  /** Answered to whatever it asks: of another organization, or outside of its app scope. */
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
  /** Names of those whose approval stands. */
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

/** Returns what follows from the facts of a release. */
export function follows(release: ModelRelease) {
  const { items, handSet, kickedOff, screenshots, status } = release
  const regressionStatus =
    handSet ?? (DONE.includes(items.regression) ? 'passed' : items.regression)
  const both = [items.approval, items.checklist]
  const approvals = both.some((item) => BLOCKING.includes(item))
    ? 'blocked'
    : both.every((item) => DONE.includes(item))
      ? 'complete'
      : both.every((item) => item === 'notStarted')
        ? 'notStarted'
        : 'inProgress'
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
  const phase =
    status === 'skipped'
      ? 'skipped'
      : status === 'completed' && kickedOff
        ? 'released'
        : readyToSubmit
          ? 'readyToSubmit'
          : kickedOff
            ? 'kickedOff'
            : 'upcoming'
  return { steps, regressionStatus, readyToSubmit, phase }
}

export class ReleaseModel {
  readonly releases = new Map<ModelVersion, ModelRelease>()
  /** Ids that releases had before. */
  readonly #aliases = new Map<ModelVersion, ModelRelease>()

  /** Plays a call. A refused one changes nothing. */
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
          this.#demandUnsettled(release)
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
          this.#demandOpen(release)
          if (release.kickedOff) return
          Object.assign(release, { kickedOff: true, status: 'active' })
          events.push('release.kickedOff')
        })
      case 'item':
        if (!actor.hasGroups && !actor.may(ACTION_OF_ITEM[command.kind])) throw new Refused(403)
        return this.#change(command, (call) => {
          need(ACTION_OF_ITEM[command.kind])
          if (!LEGAL[command.kind].includes(command.status)) throw new Refused(422)
          this.#demandOpen(call.release)
          if (command.kind === 'approval') {
            this.#count(call.release, command.status, actor.name)
          }
          this.#setItem(call, command.kind, command.status)
        })
      case 'regression':
        need('UpdateRegressionTesting')
        return this.#change(command, ({ release }) => {
          this.#demandOpen(release)
          release.handSet = command.status
        })
      case 'approve':
        need('ApproveScreenshotsMetadata')
        return this.#change(command, ({ release }) => {
          if (!release.screenshots) throw new Refused(409)
          this.#demandOpen(release)
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
          this.#carry(release, command.ask)
          const completes = before !== 'completed' && release.status === 'completed'
          if (completes && release.kickedOff) events.push('release.released')
        })
    }
  }

  /** Changes a release, and records the edges of what follows. */
  #change(
    { version }: Command,
    change: (call: { release: ModelRelease; events: string[] }) => void
  ): Outcome {
    const release = this.#find(version)
    const before = follows(release)
    const events: string[] = []
    change({ release, events })
    const after = follows(release)
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
    this.#demandUnsettled(release)
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

  #carry(release: ModelRelease, ask: Command['ask']) {
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
    // A begun step is begun anew: what a person set for its last run is past.
    const { regressionTesting } = follows(release).steps
    if (['inProgress', 'blocked'].includes(regressionTesting)) release.handSet = null
  }

  /** Everybody approves once; any other status takes the approvals back. */
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

  #demandOpen({ status }: ModelRelease) {
    if (status === 'completed' || status === 'skipped') throw new Refused(409)
  }

  #demandUnsettled({ status, kickedOff }: ModelRelease) {
    if (status === 'completed' || kickedOff) throw new Refused(409)
  }

  /** Only plain releases have screenshots; a step that was worked on stays with what is active. */
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
