import type { Instant } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import { Problem } from '#foundation/core/problems/problem'
import type { Actor } from '#foundation/core/principal'
import { findRelease } from '#releases/queries/find_release'
import { TakeOff } from '#stores/actions/take_off'
import { chance } from '#simulated-providers/chance'
import type { Developers } from './developers.js'
import { refusalOf } from './refusal_of.js'
import type { RehearsedService } from './service.js'
import type { Reason, ReasonCode, ReportedReasons } from './wait_reasons.js'

/*
 * Actions of people on the things that a release waits for. People know only what the service
 * shows, and act through its operations, or in the store's own console if there is no operation.
 */

export interface Person {
  email: string
  actor: Actor
}

/** A release as lists show it. */
export interface RehearsedRelease {
  id: string
  version: string
  status: string
  phase: string
  releaseBranch: string | null
  targetKickoffAt: string | null
}

export interface Deeds {
  service: RehearsedService
  developers: Developers
  people: readonly Person[]
  seed: string
  appId: string
  platform: string
}

export interface About {
  release: RehearsedRelease
  reason: Reason
  /** The next automatic actions, as reported. */
  next: ReportedReasons['next']
  /** The acting person. */
  by: Person
  /** Number of earlier attempts for the same reason. */
  before: number
}

/** @returns a description of what the timeline of the release does not show; null for nothing */
type Deed = (actions: Deeds, about: About) => Promise<string | null>

const paramsOf = ({ appId }: Deeds, { release }: About) => ({ appId, releaseId: release.id })

const asking =
  (operationId: string, body?: object): Deed =>
  async (actions, about) => {
    await actions.service.ask(
      operationId,
      { params: paramsOf(actions, about), body },
      about.by.actor
    )
    return null
  }

const runOf = async (actions: Deeds, about: About, types: readonly string[]) => {
  const { service } = actions
  const steps: { type: string; stepRunId: string }[] = await service.ask('listReleaseSteps', {
    params: paramsOf(actions, about),
  })
  return steps.find(({ type }) => types.includes(type))?.stepRunId ?? null
}

/** Triggers a build. A pipeline that is no step of the release is started by the team itself. */
const build: Deed = async (actions, about) => {
  const { release, by } = about
  const stepRunId = await runOf(actions, about, ['releaseCandidate', 'rollbackBuild'])
  const branch = release.releaseBranch ?? `release/${release.version}`
  if (stepRunId === null) return actions.developers.build(branch)
  const params = { ...paramsOf(actions, about), stepRunId }
  await actions.service.ask('triggerCIWorkflow', { params, body: { branch } }, by.actor)
  return null
}

/**
 * Time for which a build may be missing in the store before another one is triggered, in
 * milliseconds.
 */
const MAX_MISSED = 6 * HOUR

const selectBuild: Deed = async (actions, about) => {
  const { service, developers } = actions
  const { data } = await service.ask('listAppStoreBuilds', { params: paramsOf(actions, about) })
  const usable = data.find(
    (each: { processingState: string; expired: boolean }) =>
      each.processingState === 'VALID' && !each.expired
  )
  if (!usable) {
    return developers.builtSince(service.clock.milliseconds() - MAX_MISSED)
      ? null
      : build(actions, about)
  }
  const stepRunId = await runOf(actions, about, ['submission'])
  if (stepRunId === null) return null
  const params = { ...paramsOf(actions, about), stepRunId }
  const body = { builds: [{ appStoreBuildId: usable.id }] }
  await service.ask('setSelectedBuilds', { params, body }, about.by.actor)
  return null
}

const DONE = { checklist: 'complete', regression: 'passed', approval: 'approved' } as const

const settleItem: Deed = async (actions, about) => {
  const { service, seed, people } = actions
  const { subject } = about.reason.condition
  if (!subject || !Object.hasOwn(DONE, subject.type)) return null
  const kind = subject.type as keyof typeof DONE
  const params = { ...paramsOf(actions, about), checklistItemId: subject.id }
  const set = (body: object, { actor } = about.by) =>
    service.ask('updateChecklistItemStatus', { params, body }, actor)
  if (kind === 'approval') {
    for (const person of people) {
      // Each person tries for themselves, until one with the permission has approved it.
      const vote = { status: 'approved', userEmail: person.email }
      const item = await set(vote, person).catch(refusalOf)
      if (!(item instanceof Problem) && item.status?.type === 'approved') return null
    }
    return null
  }
  const { version } = about.release
  const fails = chance(seed, 'item fails', version, subject.name) < actions.developers.failing
  const isNew = about.reason.condition.code === 'item_not_done'
  if (kind === 'regression' && fails && isNew) {
    await set({ status: 'failed', comment: `It does not work in ${version}.` })
    return askForFix(actions, about, subject.name)
  }
  if (!isNew && about.before === 0) return takeFix(actions, about)
  await set({ status: DONE[kind] })
  return null
}

const askForFix = async (actions: Deeds, about: About, what: string) => {
  const commit = await actions.developers.commit(`Fix ${what.toLowerCase()}`)
  if (commit === null) return null
  const body = { title: `Fix ${what.toLowerCase()}`, commitHashes: [commit] }
  await actions.service.ask(
    'createFixRequest',
    { params: paramsOf(actions, about), body },
    about.by.actor
  )
  return null
}

/** Approves pending fix requests, and builds them. */
const takeFix: Deed = async (actions, about) => {
  const { service, people } = actions
  const params = paramsOf(actions, about)
  const requested: { id: string; requester?: { name: string } }[] = await service.ask(
    'listFixRequests',
    { params, query: { status: 'pending' } }
  )
  for (const { id } of requested) {
    for (const { actor } of people) {
      const given = { params: { ...params, fixRequestId: id }, body: {} }
      await service.ask('approveFixRequest', given, actor).catch(refusalOf)
    }
  }
  return build(actions, about)
}

const giveToTesters: Deed = (actions) => actions.developers.giveToTesters()

const sendForReview: Deed = (actions) => actions.developers.sendForReview()

const publish: Deed = (actions) => actions.developers.publish()

const passRegression: Deed = asking('updateReleaseRegressionStatus', { status: 'passed' })

const approveStep: Deed = async (actions, about) => {
  const stepRunId = await runOf(actions, about, [about.reason.step?.type ?? ''])
  if (stepRunId === null) return null
  const params = { ...paramsOf(actions, about), stepRunId }
  const body = { approved: true }
  await actions.service.ask('updateStepRunApproval', { params, body }, about.by.actor)
  return null
}

/** Matches a refusal because the use of encryption is not declared. */
const COMPLIANCE = /complianceMissing/

const submit: Deed = async (actions, about) => {
  const did = COMPLIANCE.test(about.reason.condition.message)
    ? await actions.developers.declareCompliance()
    : null
  try {
    await asking('submitRelease', {})(actions, about)
    return did
  } catch (error) {
    if (isWithoutStore(error)) return complete(actions, about)
    if (!(error instanceof Problem)) throw error
    if (error.code === 'no_build_selected' || error.code === 'build_unusable') {
      return selectBuild(actions, about)
    }
    throw error
  }
}

export const complete: Deed = asking('completeRelease')

/** Submits or completes the release despite incomplete steps. */
export const submitIncomplete: Deed = async (actions, about) => {
  try {
    return await asking('submitRelease', { submitWithIncompleteSteps: true })(actions, about)
  } catch (error) {
    if (!isWithoutStore(error)) throw error
    return asking('completeRelease', { force: true })(actions, about)
  }
}

/** Without a store there is nothing to submit to, or to release in. */
const isWithoutStore = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'integration_missing'

const takeOff: Deed = async (actions, about) => {
  const { appId, releaseId } = paramsOf(actions, about)
  try {
    await actions.service.write(
      async (scope) => new TakeOff(scope).handle(await findRelease(scope, appId, releaseId)),
      about.by.actor
    )
    return null
  } catch (error) {
    if (!isWithoutStore(error)) throw error
    return complete(actions, about)
  }
}

/** Resumes a rollout, or creates a hotfix if the version is harmful. */
const goOn: Deed = async (actions, about) => {
  const { version } = about.release
  if (!actions.developers.isHarmful(version)) {
    return asking('changeRollout', { action: 'resume' })(actions, about)
  }
  const [major, minor = '0', patch = '0'] = version.split('.')
  const hotfix = `${major}.${minor}.${Number(patch) + 1}`
  const fix = await actions.developers.commit(`Fix the crash of ${version}`)
  const picked = fix === null ? {} : { cherryPickCommits: [fix] }
  const body = { version: hotfix, releaseType: 'hotfix', ...picked }
  try {
    await actions.service.ask('createRelease', { params: { appId: actions.appId }, body })
  } catch (error) {
    // A hotfix is under way already; any other failure is thrown.
    refusalOf(error)
  }
  return null
}

/** Shares of a rollout on Google Play, which never rises by itself. */
const LADDER = [1, 5, 10, 20, 50, 100]

/**
 * Returns whether a rollout moves by itself: a policy has a date for it, or a call to the store is
 * planned.
 */
const isDriven = ({ next }: About, now: Instant) =>
  next.some(
    ({ at, what, message }) =>
      what === 'storeCall' || (MOVES.includes(what) && at > now && !FOR_PEOPLE.test(message))
  )

const MOVES: readonly string[] = ['rolloutStage', 'rolloutHeld']

/** The reason that holds a rollout until a person acts. */
const FOR_PEOPLE = /no earlier version/

/**
 * Watches a rollout: stops a harmful version, and continues one on Google Play if no policy does.
 */
const watch: Deed = async (actions, about) => {
  if (actions.developers.isHarmful(about.release.version)) {
    return asking('pressRedButton', { reason: 'Crashes rise' })(actions, about)
  }
  if (actions.platform !== 'android' || isDriven(about, actions.service.clock.now())) return null
  const now = Number(/ (\d+(?:\.\d+)?) %/.exec(about.reason.condition.message)?.[1] ?? 0)
  const percentage = LADDER.find((each) => each > now) ?? 100
  const to = percentage === 100 ? { action: 'complete' } : { action: 'set', percentage }
  return asking('changeRollout', to)(actions, about)
}

const ignoreFeatures: Deed = async (actions, about) => {
  const params = paramsOf(actions, about)
  const { data } = await actions.service.ask('searchFeatureReadiness', {
    params,
    query: { ignored: 'false' },
  })
  const itemIds = data.map(({ id }: { id: string }) => id)
  if (itemIds.length === 0) return null
  await actions.service.ask('ignoreFeatureReadinessItems', { params, body: { itemIds } })
  return null
}

interface Response {
  deed: Deed
  /** Time for which people wait before they act, in milliseconds. */
  patience?: number
}

export const DEEDS: Readonly<Partial<Record<ReasonCode, Response>>> = {
  not_kicked_off: { deed: asking('kickOffRelease') },
  kickoff_failed: { deed: asking('kickOffRelease'), patience: HOUR },
  no_build: { deed: build },
  build_failed: { deed: build },
  build_without_result: { deed: build },
  invalid_binary: { deed: build },
  item_not_done: { deed: settleItem },
  item_blocked: { deed: settleItem },
  regression_status_set_by_hand: { deed: passRegression },
  tests_failed: { deed: passRegression, patience: 48 * HOUR },
  no_beta_build: { deed: giveToTesters, patience: HOUR },
  beta_rejected: { deed: build },
  approval_withdrawn: { deed: approveStep },
  not_approved: { deed: approveStep },
  no_build_selected: { deed: selectBuild },
  not_submitted: { deed: submit },
  submission_failed: { deed: submit, patience: HOUR },
  changes_not_sent: { deed: sendForReview },
  changes_not_published: { deed: publish },
  review_rejected: { deed: submit, patience: HOUR },
  not_released: { deed: takeOff },
  release_pending: { deed: takeOff },
  rollout_paused: { deed: goOn, patience: HOUR },
  rollout_halted: { deed: goOn, patience: HOUR },
  rolling_out: { deed: watch, patience: 20 * HOUR },
  features_not_ready: { deed: ignoreFeatures, patience: 48 * HOUR },
  features_missing: { deed: ignoreFeatures, patience: 24 * HOUR },
}
