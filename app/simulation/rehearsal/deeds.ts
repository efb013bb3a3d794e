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
type Deed = (deeds: Deeds, about: About) => Promise<string | null>

const paramsOf = ({ appId }: Deeds, { release }: About) => ({ appId, releaseId: release.id })

const asking =
  (operationId: string, body?: object): Deed =>
  async (deeds, about) => {
    await deeds.service.ask(operationId, { params: paramsOf(deeds, about), body }, about.by.actor)
    return null
  }

const runOf = async (deeds: Deeds, about: About, types: readonly string[]) => {
  const { service } = deeds
  const steps: { type: string; stepRunId: string }[] = await service.ask('listReleaseSteps', {
    params: paramsOf(deeds, about),
  })
  return steps.find(({ type }) => types.includes(type))?.stepRunId ?? null
}

/** Triggers a build. A pipeline that is no step of the release is started by the team itself. */
const build: Deed = async (deeds, about) => {
  const { release, by } = about
  const stepRunId = await runOf(deeds, about, ['releaseCandidate', 'rollbackBuild'])
  const branch = release.releaseBranch ?? `release/${release.version}`
  if (stepRunId === null) return deeds.developers.build(branch)
  const params = { ...paramsOf(deeds, about), stepRunId }
  await deeds.service.ask('triggerCIWorkflow', { params, body: { branch } }, by.actor)
  return null
}

/**
 * Time for which a build may be missing in the store before another one is triggered, in
 * milliseconds.
 */
const MAX_MISSED = 6 * HOUR

const selectBuild: Deed = async (deeds, about) => {
  const { service, developers } = deeds
  const { data } = await service.ask('listAppStoreBuilds', { params: paramsOf(deeds, about) })
  const usable = data.find(
    (each: { processingState: string; expired: boolean }) =>
      each.processingState === 'VALID' && !each.expired
  )
  if (!usable) {
    return developers.builtSince(service.clock.milliseconds() - MAX_MISSED)
      ? null
      : build(deeds, about)
  }
  const stepRunId = await runOf(deeds, about, ['submission'])
  if (stepRunId === null) return null
  const params = { ...paramsOf(deeds, about), stepRunId }
  const body = { builds: [{ appStoreBuildId: usable.id }] }
  await service.ask('setSelectedBuilds', { params, body }, about.by.actor)
  return null
}

const DONE = { checklist: 'complete', regression: 'passed', approval: 'approved' } as const

const settleItem: Deed = async (deeds, about) => {
  const { service, seed, people } = deeds
  const { subject } = about.reason.condition
  if (!subject || !Object.hasOwn(DONE, subject.type)) return null
  const kind = subject.type as keyof typeof DONE
  const params = { ...paramsOf(deeds, about), checklistItemId: subject.id }
  const set = (body: object, actor = about.by.actor) =>
    service.ask('updateChecklistItemStatus', { params, body }, actor)
  if (kind === 'approval') {
    for (const { email } of people) {
      // Each person tries, until one with the permission has approved it.
      const item = await set({ status: 'approved', userEmail: email }).catch(refusalOf)
      if (!(item instanceof Problem) && item.status?.type === 'approved') return null
    }
    return null
  }
  const { version } = about.release
  const fails = chance(seed, 'item fails', version, subject.name) < deeds.developers.failing
  const isNew = about.reason.condition.code === 'item_not_done'
  if (kind === 'regression' && fails && isNew) {
    await set({ status: 'failed', comment: `It does not work in ${version}.` })
    return askForFix(deeds, about, subject.name)
  }
  if (!isNew && about.before === 0) return takeFix(deeds, about)
  await set({ status: DONE[kind] })
  return null
}

const askForFix = async (deeds: Deeds, about: About, what: string) => {
  const commit = await deeds.developers.commit(`Fix ${what.toLowerCase()}`)
  if (commit === null) return null
  const body = { title: `Fix ${what.toLowerCase()}`, commitHashes: [commit] }
  await deeds.service.ask(
    'createFixRequest',
    { params: paramsOf(deeds, about), body },
    about.by.actor
  )
  return null
}

/** Approves pending fix requests, and builds them. */
const takeFix: Deed = async (deeds, about) => {
  const { service, people } = deeds
  const params = paramsOf(deeds, about)
  const asked: { id: string; requester?: { name: string } }[] = await service.ask(
    'listFixRequests',
    { params, query: { status: 'pending' } }
  )
  for (const { id } of asked) {
    for (const { actor } of people) {
      const given = { params: { ...params, fixRequestId: id }, body: {} }
      await service.ask('approveFixRequest', given, actor).catch(refusalOf)
    }
  }
  return build(deeds, about)
}

const giveToTesters: Deed = (deeds) => deeds.developers.giveToTesters()

const sendForReview: Deed = (deeds) => deeds.developers.sendForReview()

const publish: Deed = (deeds) => deeds.developers.publish()

const passRegression: Deed = asking('updateReleaseRegressionStatus', { status: 'passed' })

const approveStep: Deed = async (deeds, about) => {
  const stepRunId = await runOf(deeds, about, [about.reason.step?.type ?? ''])
  if (stepRunId === null) return null
  const params = { ...paramsOf(deeds, about), stepRunId }
  const body = { approved: true }
  await deeds.service.ask('updateStepRunApproval', { params, body }, about.by.actor)
  return null
}

/** Matches a refusal because the use of encryption is not declared. */
const COMPLIANCE = /complianceMissing/

const submit: Deed = async (deeds, about) => {
  const did = COMPLIANCE.test(about.reason.condition.message)
    ? await deeds.developers.declareCompliance()
    : null
  try {
    await asking('submitRelease', {})(deeds, about)
    return did
  } catch (error) {
    if (isWithoutStore(error)) return complete(deeds, about)
    if (!(error instanceof Problem)) throw error
    if (error.code === 'no_build_selected' || error.code === 'build_unusable') {
      return selectBuild(deeds, about)
    }
    throw error
  }
}

export const complete: Deed = asking('completeRelease')

/** Submits or completes the release despite incomplete steps. */
export const submitIncomplete: Deed = async (deeds, about) => {
  try {
    return await asking('submitRelease', { submitWithIncompleteSteps: true })(deeds, about)
  } catch (error) {
    if (!isWithoutStore(error)) throw error
    return asking('completeRelease', { force: true })(deeds, about)
  }
}

/** Without a store there is nothing to submit to, or to release in. */
const isWithoutStore = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'integration_missing'

const takeOff: Deed = async (deeds, about) => {
  const { appId, releaseId } = paramsOf(deeds, about)
  try {
    await deeds.service.write(
      async (scope) => new TakeOff(scope).handle(await findRelease(scope, appId, releaseId)),
      about.by.actor
    )
    return null
  } catch (error) {
    if (!isWithoutStore(error)) throw error
    return complete(deeds, about)
  }
}

/** Resumes a rollout, or creates a hotfix if the version is harmful. */
const goOn: Deed = async (deeds, about) => {
  const { version } = about.release
  if (!deeds.developers.isHarmful(version)) {
    return asking('changeRollout', { action: 'resume' })(deeds, about)
  }
  const [major, minor = '0', patch = '0'] = version.split('.')
  const hotfix = `${major}.${minor}.${Number(patch) + 1}`
  const fix = await deeds.developers.commit(`Fix the crash of ${version}`)
  const picked = fix === null ? {} : { cherryPickCommits: [fix] }
  const body = { version: hotfix, releaseType: 'hotfix', ...picked }
  try {
    await deeds.service.ask('createRelease', { params: { appId: deeds.appId }, body })
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
const watch: Deed = async (deeds, about) => {
  if (deeds.developers.isHarmful(about.release.version)) {
    return asking('pressRedButton', { reason: 'Crashes rise' })(deeds, about)
  }
  if (deeds.platform !== 'android' || isDriven(about, deeds.service.clock.now())) return null
  const now = Number(/ (\d+(?:\.\d+)?) %/.exec(about.reason.condition.message)?.[1] ?? 0)
  const percentage = LADDER.find((each) => each > now) ?? 100
  const to = percentage === 100 ? { action: 'complete' } : { action: 'set', percentage }
  return asking('changeRollout', to)(deeds, about)
}

const ignoreFeatures: Deed = async (deeds, about) => {
  const params = paramsOf(deeds, about)
  const { data } = await deeds.service.ask('searchFeatureReadiness', {
    params,
    query: { ignored: 'false' },
  })
  const itemIds = data.map(({ id }: { id: string }) => id)
  if (itemIds.length === 0) return null
  await deeds.service.ask('ignoreFeatureReadinessItems', { params, body: { itemIds } })
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
