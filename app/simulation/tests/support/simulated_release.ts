import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { replaceIntegrations } from '#integrations/store_integrations'
import { workThrough } from '#stores/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { runCommand } from '#tests/support/console'
import { yaml } from '#tests/support/requests'
import { makeWorld } from '#tests/support/world'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { SimAdvance } from '../../commands/sim_advance.js'
import { SimStart } from '../../commands/sim_start.js'
import { SimState } from '../../commands/sim_state.js'

const required = { required: true }
const STEPS: readonly ReleaseStepType[] = [
  'kickoff',
  'releaseCandidate',
  'submission',
  'storeReview',
  'takeoff',
  'rollout',
]
export const BUNDLE = { bundleId: 'com.acme.shop' }

/** Returns integrations that step types need, in addition to CI and the store. */
const sources = (store: 'apple' | 'google') =>
  ({
    betaTesting: { type: `sim-${store}-beta`, plugin: `sim-${store}`, data: BUNDLE },
    translations: { type: 'sim-translations', plugin: 'sim', data: {} },
    regressionTesting: {
      ...{ type: 'sim-tests', plugin: 'sim' },
      data: { testRunNameKeywords: 'regression, iOS' },
    },
  }) as const
const KINDS = {
  betaTesting: 'betaTesting',
  translations: 'localization',
  regressionTesting: 'testManagement',
} as const

/**
 * Makes release 4.2.0 of an app, kicked off, with CI and store of a scenario.
 * @param scenario a file, or the name of one in the box
 */
export const rehearsal = async (
  scenario: string,
  store: 'apple' | 'google',
  more: readonly ReleaseStepType[] = []
) => rehearsedIn(await playing(scenario), store, more)

/** Makes a simulated world that plays a scenario. */
export async function playing(scenario: string) {
  const world = await makeWorld()
  const { admin, organizationId } = world
  const { document } = await runCommand(SimStart, [`--org=${organizationId}`])
  const at = `/org/${organizationId}/simulatedWorld/scenario`
  const played = await admin.put(at, undefined, yaml(scenario))
  if (played.status !== 200) throw new Error(played.text)
  return { world, document }
}

/** Makes release 4.2.0 of an app in such a world, kicked off. */
export async function rehearsedIn(
  { world, document }: Awaited<ReturnType<typeof playing>>,
  store: 'apple' | 'google',
  more: readonly ReleaseStepType[] = []
) {
  const { admin, organizationId } = world
  const org = `--org=${organizationId}`
  const providerOf = (plugin: string) =>
    document.connections.find((each: { plugin: string }) => each.plugin === plugin).id
  const appId = await makeApp(world, {
    platform: store === 'apple' ? 'ios' : 'android',
    steps: [...STEPS.slice(0, 2), ...more, ...STEPS.slice(2)].map((type) => ({
      type,
      releaseTypes: { standard: required },
    })),
  })
  const workflow = { workflowId: 'release' }
  await world.write((scope) =>
    replaceIntegrations(scope, appId, [
      { key: 'ci', type: 'sim-ci', kind: 'ci', provider: providerOf('sim'), data: workflow },
      {
        ...{ key: 'store', type: `sim-${store}`, kind: 'appStore', data: BUNDLE },
        provider: providerOf(`sim-${store}`),
      },
      ...Object.entries(sources(store)).flatMap(([key, { plugin, type, data }]) =>
        more.includes(key as ReleaseStepType)
          ? [
              {
                key,
                type,
                kind: KINDS[key as keyof typeof KINDS],
                provider: providerOf(plugin),
                data,
              },
            ]
          : []
      ),
    ])
  )
  const path = `/app/${appId}/release/${appId}:4.2.0`
  await admin.post(`/app/${appId}/release`, { version: '4.2.0' })
  await admin.put(`${path}/kickoff`)
  // Longer than lists of its stores lag, and short enough to leave scenarios their times.
  const work = () => workThrough(organizationId, 2)
  const step = async (wanted: ReleaseStepType) => {
    const { body } = await admin.get(`${path}/steps`)
    return body.find(({ type }: { type: string }) => type === wanted)
  }
  return {
    ...{ world, admin, path, appId, organizationId, step, work },
    build: async () => {
      const { stepRunId } = await step('releaseCandidate')
      const run = `${path}/stepRun/${stepRunId}/triggerCI`
      const { status } = await admin.post(run, { branch: 'release/4.2.0' })
      if (status !== 200) throw new Error(`CI was not triggered: ${status}`)
      await work()
    },
    submit: async () => {
      const response = await admin.put(`${path}/submit`, { submitWithIncompleteSteps: true })
      await work()
      await work()
      return response
    },
    /** Publishes held changes in the console of Google Play, as a person. */
    publish: async () => {
      const action = { store: 'googlePlay', deed: 'publishes' }
      const response = await admin.post(`/org/${organizationId}/simulatedWorld/console`, action)
      if (response.status !== 200) throw new Error(response.text)
      await work()
    },
    statuses: async (): Promise<Record<string, string>> => {
      const { body } = await admin.get(`${path}/steps`)
      return Object.fromEntries(
        body.map((each: { type: string; status: string }) => [each.type, each.status])
      )
    },
    /** Changes that providers refused, as method and path. */
    refused: async (): Promise<string[]> => {
      await (await app.container.make('integrations.log')).flush()
      const calls = await db
        .from('integration_calls')
        .where('organization_id', organizationId)
        .whereNot('method', 'GET')
        .whereBetween('status', [400, 499])
      return calls.map((call: { method: string; path: string }) => `${call.method} ${call.path}`)
    },
    release: async () => (await admin.get(`/v2/app/${appId}/releases/${appId}:4.2.0`)).body,
    advance: async (span: string) => {
      const result = await runCommand(SimAdvance, [span, org])
      if (result.code !== 0) throw new Error(result.stderr)
      await work()
      await work()
    },
    state: async () => (await runCommand(SimState, [org])).document,
    events: async () => (await world.events()).map(({ type }) => type),
  }
}
