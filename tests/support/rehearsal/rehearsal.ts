import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { sampleScenario as githubScenario } from '@tarmac/plugin-github/fake'
import { sampleScenario as jiraScenario } from '@tarmac/plugin-jira/fake'
import { clock } from '#foundation/core/services'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { plugins } from '#integrations/plugins/plugin_registry'
import { passMinutes, passToNight } from '#stores/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import * as github from '#tests/support/github'
import * as jira from '#tests/support/jira'
import { connectSlack, hasty, leaveSlack, openWorkspace, talkOf } from '#tests/support/slack'
import { VENDOR_PLUGINS } from '#tests/support/vendor_plugins'
import { makeWorld } from '#tests/support/world'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { Gate } from './gate.js'
import { VERSION, type RehearsedStore } from './stores.js'

/*
 * A release of an app from its kickoff on, with all plugins of vendors against their fakes. The
 * rehearsal advances the clock.
 */

const STEPS: readonly ReleaseStepType[] = [
  'kickoff',
  'releaseCandidate',
  'metadata',
  'submission',
  'storeReview',
  'takeoff',
  'rollout',
]
const required = { required: true }
/** Most spans of time that a leg may take. */
const MAX_TURNS = 60
const BRANCH = `release/${VERSION}`

export const VENDORS = ['code', 'chat', 'tickets', 'store'] as const
export type Vendor = (typeof VENDORS)[number]

/** The stages of the release, each with a condition that ends it. */
export const LEGS = [
  'kickoff',
  'dispatch 41',
  'build 41',
  'submit',
  'rejected',
  'fix',
  'dispatch 42',
  'build 42',
  'submit again',
  'approved',
  'rollout',
] as const
type Leg = (typeof LEGS)[number]

/** The trouble that each vendor makes during a leg. */
export type Troubles = Partial<Record<Vendor, 'restart' | 'limit'>>

/** Makes a repository whose commits name tickets, and whose previous version is tagged. */
function openRepository() {
  const fake = (github.reached.github = github.makeGitHub())
  const scenario = githubScenario()
  const { commits, tags, branches } = scenario.versionControl!
  // The build number is that of the CI run, so the next one is 41.
  const { sha } = branches[0]
  scenario.ci!.runs.push({
    id: '40',
    workflowId: 'release.yml',
    branch: 'main',
    sha,
    state: 'succeeded',
  })
  tags[0].name = 'v1.2.3'
  for (const [index, each] of commits.entries()) {
    if (index > 0) each.message = `SHOP-${index}: ${each.message}`
  }
  fake.seed(scenario)
  const gate = new Gate(
    fake,
    ({ method, url }, body) => {
      const { ref, tag_name: tag, name } = body === '' ? {} : JSON.parse(body)
      const path = url.replace(/^.*acme\/app\//, '')
      return [method, path, ref ?? tag ?? name].filter(Boolean).join(' ')
    },
    () => [fake.state(), fake.code.hooks]
  )
  const { git } = fake.code
  return {
    fake,
    gate,
    /** Commits to the working branch; answers the hash. */
    commit(message: string, path: string): string {
      const main = git.branches.get('main')!
      const tree = git.storeTree(new Map([...git.treeOf(main.sha), [path, message]]))
      const person = { name: 'Ada', email: 'ada@acme.example', date: clock.now() }
      const made = git.commit({
        message,
        tree,
        parents: [main.sha],
        author: person,
        committer: person,
      })
      main.sha = made.sha
      return made.sha
    },
    /** The commits that CI built after the first run, in order. */
    builtFrom: () => fake.actions.runs.slice(1).map((run) => run.sha),
    subjects: (from: string, to: string) =>
      git.between(git.named(from)!, git.named(to)!).map(({ message }) => message.split('\n')[0]),
  }
}

function openProject() {
  const fake = (jira.reached.jira = jira.makeJira())
  const scenario = jiraScenario()
  for (const each of scenario.issueTracking!.tickets) {
    Object.assign(each, { status: 'Released to testers', versions: [] })
  }
  fake.seed(scenario)
  const gate = new Gate(fake, ({ method, url }, body) => {
    const { update, released } = JSON.parse(body)
    const path = url.replace(/^.*\/api\/3\//, '')
    if (update !== undefined) return `${method} ${path} ${JSON.stringify(update.fixVersions)}`
    return path === 'version' ? 'version made' : `version released: ${released}`
  })
  return { fake, gate }
}

/** @param isHasty whether Slack has no rate limit and each span of the rollout is a whole day */
export async function makeRehearsal(store: RehearsedStore, isHasty: boolean) {
  // Leftover jobs of other specs must not call these vendors.
  await db.from('jobs').delete()
  passToNight()
  const code = openRepository()
  const tickets = openProject()
  const chat = openWorkspace()
  const gates: Record<Vendor, Gate> = {
    code: code.gate,
    tickets: tickets.gate,
    store: store.gate,
    chat: new Gate(chat.slack, ({ url }, body) => {
      const { text = '' } = Object.fromEntries(new URLSearchParams(body))
      return `${url.split('/').at(-1)} ${text.split('\n')[0]}`
    }),
  }
  // No other plugins: those of the tests have the same types.
  await plugins.load({ ...VENDOR_PLUGINS, ...(isHasty && { slack: hasty }) })
  const world = await makeWorld()
  const { admin } = world
  const appId = await makeApp(world, {
    platform: store.platform,
    steps: STEPS.map((type) => ({ type, releaseTypes: { standard: required } })),
    tagPattern: 'v{version}',
  })
  const { id: host } = await connect(world, 'github', { credentials: github.credentials })
  const { credentials, settings } = jira
  const { id: site } = await connect(world, 'jira', { credentials, settings })
  const { id: seller } = await connect(world, store.plugin, { credentials: store.credentials })
  const { id: talk } = await connectSlack(world)
  const data = { bundleId: 'com.acme.app' }
  await world.write((scope) =>
    replaceIntegrations(scope, appId, [
      ...github.integrationsOf(host),
      { key: 'store', type: store.types.store, kind: 'appStore', provider: seller, data },
      { key: 'beta', type: store.types.beta, kind: 'betaTesting', provider: seller, data },
      talkOf(talk),
      {
        key: 'tickets',
        type: 'jira',
        kind: 'issueTracking' as const,
        provider: site,
        data: { projects: ['SHOP'] },
      },
    ])
  )
  await github.setBranches(appId)
  const affiliation = { name: 'Version', integration: 'tickets', type: 'fixVersion' }
  const inPhases = { releaseMethod: 'manual', phasedReleaseEnabled: true }
  await db
    .from('apps')
    .where('id', appId)
    .update({
      feature_affiliations: JSON.stringify([{ ...affiliation, pattern: '{version}' }]),
      app_store_release_settings: JSON.stringify({ ...inPhases, inAppUpdatePriority: null }),
    })
  const demand = async (response: Promise<{ status: number; text: string; body: any }>) => {
    const { status, text, body } = await response
    if (status >= 300) throw new Error(`${status}: ${text}`)
    return body
  }
  for (const type of ['tagOnRelease', 'addLabelsAndFixVersions']) {
    await demand(admin.put(`/app/${appId}/automations`, { type, enabled: true }))
  }
  if (store.platform === 'android') {
    const ladder = [1, 20, 50, 100].map((percentage) => ({
      percentage,
      hours: percentage < 100 ? 24 : 0,
    }))
    await demand(admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder } }))
  }
  const path = `/app/${appId}/release/${appId}:${VERSION}`
  const worker = await app.container.make('jobs.worker')
  const pass = async (minutes: number) => {
    passMinutes(minutes)
    for (let turn = 0; turn < 30; turn++) if ((await worker.turn()) === 0) break
  }
  const release = async () =>
    (await demand(admin.get(`/v2/app/${appId}/releases/${appId}:${VERSION}`))) as any
  const step = async (type: ReleaseStepType) =>
    (await demand(admin.get(`${path}/steps`))).find((each: { type: string }) => each.type === type)

  /**
   * Acts, then advances the clock until the leg is over and every vendor has made its trouble.
   * @param minutes to advance at a time
   */
  async function leg(
    name: string,
    troubles: Troubles,
    act: () => Promise<unknown> | unknown,
    isOver: () => Promise<boolean> | boolean,
    minutes = 5
  ) {
    const underWay = Object.entries(troubles).map(([vendor, trouble]) => {
      const gate = gates[vendor as Vendor]
      if (trouble === 'limit') gate.limit()
      else gate.close()
      const count = () => (trouble === 'limit' ? gate.refused : gate.lost)
      return { vendor, gate, before: count(), count, turns: 0 }
    })
    await act()
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      // A trouble lasts two turns after the service has met it.
      for (const each of underWay) {
        if (each.count() > each.before && ++each.turns === 2) each.gate.open()
      }
      if (underWay.every(({ turns }) => turns >= 2) && (await isOver())) return
      await pass(minutes)
    }
    const untouched = underWay.filter(({ turns }) => turns === 0).map(({ vendor }) => vendor)
    const { text } = await admin.get(`${path}/whyNotMoving`)
    throw new Error(`${name} is not over, or nobody asked ${untouched}: ${text}`)
  }

  return {
    world,
    admin,
    appId,
    path,
    gates,
    code,
    tickets,
    chat,
    store,
    isHasty,
    pass,
    release,
    step,
    leg,
    demand,
  }
}

export type Rehearsal = Awaited<ReturnType<typeof makeRehearsal>>

/** Removes the fakes and the jobs of a rehearsal. */
export async function leaveRehearsal() {
  github.reached.github = null
  jira.reached.jira = null
  await leaveSlack()
  await db.from('jobs').delete()
}

/** Brings a release from its kickoff through a rejected review and a fix to all users. */
export async function walk(
  rehearsal: Rehearsal,
  troubles: Readonly<Partial<Record<Leg, Troubles>>>
) {
  const { admin, appId, path, code, store, isHasty, pass, release, step, demand } = rehearsal
  const put = (rest: string, body: object = {}) => demand(admin.put(`${path}${rest}`, body))
  const leg = (
    name: Leg,
    act: () => Promise<unknown> | unknown,
    isOver: () => Promise<boolean> | boolean,
    minutes?: number
  ) => rehearsal.leg(name, troubles[name] ?? {}, act, isOver, minutes)
  const isComplete = (type: ReleaseStepType) => async () => (await step(type)).status === 'complete'
  const isIn =
    (...phases: string[]) =>
    async () =>
      phases.includes((await release()).phase)
  const { runs } = code.fake.actions
  const build = async (number: 41 | 42) => {
    const { stepRunId } = await step('releaseCandidate')
    const before = runs.length
    await leg(
      `dispatch ${number}`,
      () => demand(admin.post(`${path}/stepRun/${stepRunId}/triggerCI`, {})),
      () => runs.length > before
    )
    await leg(
      `build ${number}`,
      () => {
        runs.at(-1)!.state = 'succeeded'
        store.upload(number)
      },
      async () =>
        (await release()).selectedBuild?.buildNumber === String(number) &&
        (await isComplete('releaseCandidate')())
    )
  }

  await demand(admin.post(`/app/${appId}/release`, { version: VERSION }))
  await leg('kickoff', () => put('/kickoff'), isComplete('kickoff'))
  await build(41)
  const { stepRunId } = await step('metadata')
  const description = store.platform === 'android' ? { fullDescription: 'An app' } : {}
  await put(`/stepRun/${stepRunId}/metadata`, {
    localizations: [{ locale: 'en-US', whatsNew: 'Faster', ...description }],
  })
  await put(`/stepRun/${stepRunId}/approval`, { approved: true })
  await leg('submit', () => put('/submit'), isIn('submitted', 'inReview'))
  await leg('rejected', () => store.decide('rejected'), isIn('rejected'))
  const hash = code.commit('SHOP-3: Log in again', 'login.txt')
  await leg(
    'fix',
    () => demand(admin.post(`${path}/fixRequest`, { title: 'Log in', commitHashes: [hash] })),
    () => code.subjects('v1.2.3', BRANCH).includes('SHOP-3: Log in again')
  )
  await build(42)
  await leg('submit again', () => put('/submit'), isIn('submitted', 'inReview'))
  await leg('approved', () => store.decide('approved'), isComplete('storeReview'))
  await leg(
    'rollout',
    // Google Play releases an approved version by itself.
    () => store.platform === 'ios' && put('/takeoff'),
    async () => (await release()).status === 'completed',
    isHasty ? 24 * 60 : 4 * 60
  )
  // Lets pending reports to the vendors be sent.
  for (let turn = 0; turn < 4; turn++) await pass(30)
  store.gate.content()
}
