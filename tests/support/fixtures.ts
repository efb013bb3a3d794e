import service from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { pageToken, writeTicket, type TicketUse } from '#distribution/install_pages/install_tokens'
import { makeFeatureItem } from '#features/tests/items'
import { randomText } from '#foundation/core/ids'
import { clock } from '#foundation/core/services'
import { exampleRuleInput } from '#organizations/keyless/examples'
import { makeTrustRule } from '#organizations/keyless/trust_rules'
import { EXAMPLE_BROWSER } from '#integrations/connection_examples'
import { connect } from '#integrations/tests/support/connect'
import { CreateKey } from '#organizations/actions/create_key'
import { StartWorld } from '#simulation/actions/start_world'
import { findOwnWorld } from '#simulation/queries/find_world'
import { makeStoreBuild, makeStoreReview } from '#stores/tests/builds'
import { makeApp, makeUser } from './app_fixture.js'
import { CUSTOM_BUILD, installIntegration } from './custom_integrations.js'
import { form } from './form.js'
import type { ApiAnswer } from './api.js'
import type { World } from './world.js'

type Get = (name: string) => Promise<string>
type Maker = (world: World, get: Get) => Promise<string>

/** Returns the body of an answer. @throws Error with the answer if it is a refusal */
async function demand<Body>(
  response: Promise<ApiAnswer<any>>,
  pick: (body: any) => Body
): Promise<Body> {
  const { status, text, body } = await response
  if (status >= 300) throw new Error(`A fixture could not be created: ${text}`)
  return pick(body)
}

const idOf = (body: any): string => body.id
const emailIn = (world: World) =>
  `${randomText(6).toLowerCase()}@${world.organizationId.toLowerCase().replace('_', '-')}.example`

const releaseVersion = '1.4.0'

/** Returns the regression step of the release, with its step config and run. */
async function regressionStep(world: World, get: Get) {
  const path = `/app/${await get('appId')}/release/${await get('releaseId')}/steps`
  return demand(world.admin.get(path), (steps: any[]) =>
    steps.find(({ type }) => type === 'regressionTesting')
  )
}

async function ticket(use: TicketUse, get: Get): Promise<string> {
  const place = { linkId: await get('installLinkId'), buildId: await get('buildDistroBuildId') }
  return writeTicket(use, place, clock.now())
}

/** Path parameters that are not ids, with the same value in every organization. */
const words: Record<string, string> = {
  stepType: 'metadata',
  notesType: 'releaseNotes',
  flagId: 'passkey-login',
  hash: '9c1f4b7e2a8d5063f1e4c7b0a9d8e2f635147c08',
  fileName: 'dSYMs.zip',
  filename: 'dSYMs.zip',
  pluginId: 'memory',
}

/**
 * Makers of the entity behind every path parameter and every reference in a body. A new path
 * parameter needs a maker here.
 */
const makers: Record<string, Maker> = {
  orgId: async (world) => world.organizationId,
  userId: (world) => makeUser(world, emailIn(world)),
  userEmail: async (_, get) =>
    (
      await db
        .from('users')
        .where('id', await get('userId'))
        .firstOrFail()
    ).email as string,
  groupId: (world) => {
    const path = `/org/${world.organizationId}/group`
    const name = `Crew ${randomText(6)}`
    return demand(world.admin.post(path, { name, userActions: [] }), idOf)
  },
  apiKeyId: (world) =>
    world.write(async (scope) => (await new CreateKey(scope).handle({ name: 'Crew' })).id),
  trustRuleId: async (world, get) => {
    const rule = { ...exampleRuleInput, appId: await get('appId'), groupIds: [] }
    return world.write(async (scope) => (await makeTrustRule(scope, rule)).id)
  },
  rehearsalId: async (world, get) => {
    const path = `/app/${await get('appId')}/rehearsal`
    const id = await demand(world.admin.post(path, {}), idOf)
    // An organization may have only one running rehearsal.
    await demand(world.admin.post(`${path}/${id}/stop`), idOf)
    return id
  },
  appId: (world) => makeApp(world),
  freezeId: async (world, get) => {
    const span = { startAt: '2031-05-06T00:00:00.000Z', endAt: '2031-05-07T00:00:00.000Z' }
    const freezes = [{ name: 'Holidays', ...span, phases: ['release'] }]
    const path = `/app/${await get('appId')}/lifecycleFreezes`
    return demand(world.admin.put(path, { freezes }), ([{ id }]) => id)
  },
  releaseId: async (world, get) => {
    const path = `/app/${await get('appId')}/release`
    return demand(world.admin.post(path, { version: releaseVersion }), idOf)
  },
  stepId: async (world, get) => (await regressionStep(world, get)).id,
  stepConfigId: async (world, get) => (await regressionStep(world, get)).stepConfigId,
  stepRunId: async (world, get) => (await regressionStep(world, get)).stepRunId,
  checklistItemId: async (world, get) => {
    await get('releaseId')
    const path = `/app/${await get('appId')}/regressionItem`
    return demand(world.admin.post(path, { title: 'It starts' }), idOf)
  },
  featureItemId: async (world, get) =>
    makeFeatureItem(world, await get('appId'), await get('releaseId')),
  bucketId: async (world, get) => {
    const path = `/app/${await get('appId')}/bucket`
    const open = { orgWideAccessEnabled: true, publicLinkEnabled: true }
    return demand(world.admin.post(path, { name: `Crew ${randomText(6)}`, ...open }), idOf)
  },
  buildDistroBuildId: async (world, get) => {
    const path = `/app/${await get('appId')}/bucket/${await get('bucketId')}/build`
    const build = form({ file: 'a build', fileName: 'Acme.ipa' })
    const id = await demand(world.admin.post(path, undefined, build), idOf)
    const attached = form({ file: 'symbols', fileName: words.fileName })
    await demand(world.admin.post(`${path}/${id}/additionalFiles`, undefined, attached), idOf)
    return id
  },
  installLinkId: async (world, get) => {
    const path = `/app/${await get('appId')}/bucket/${await get('bucketId')}/installLink`
    const body = { buildDistroBuildId: await get('buildDistroBuildId') }
    return demand(world.admin.post(path, body), idOf)
  },
  installToken: async (_, get) => pageToken(await get('installLinkId')),
  manifestToken: (_, get) => ticket('manifest', get),
  packageToken: (_, get) => ticket('package', get),
  iconToken: (_, get) => ticket('largeIcon', get),
  integrationInstallationId: async (world, get) => {
    // Some paths need the observing integration under this name, so both are made at once.
    await get('observingId')
    return installIntegration(world, await get('appId'), 'generic-ci')
  },
  integrationId: (_, get) => get('integrationInstallationId'),
  connectionId: async (_, get) => {
    const id = await get('integrationInstallationId')
    return (await db.from('integrations').where('id', id).firstOrFail()).connection_id as string
  },
  unusedConnectionId: async (world) => (await connect(world, words.pluginId)).id,
  authorizationState: async (world) => {
    const path = `/org/${world.organizationId}/integrationPlugin/${words.pluginId}/authorize`
    const begun = world.admin.post(path, { browser: EXAMPLE_BROWSER })
    return demand(begun, ({ url }) => new URL(url).searchParams.get('state')!)
  },
  observingId: async (world, get) =>
    installIntegration(world, await get('appId'), 'generic-analytics'),
  appStoreBuildId: async (world, get) => {
    await get('releaseId')
    return makeStoreBuild(world, await get('appId'))
  },
  reviewId: async (world, get) => makeStoreReview(world, await get('appId')),
  buildId: async (world, get) => {
    const installation = await get('integrationInstallationId')
    const path = `/app/${await get('appId')}/integration/${installation}/build`
    const sent = form({ file: 'a build', fileName: 'Acme.ipa' }, JSON.stringify(CUSTOM_BUILD))
    const id = await demand(world.admin.post(path, undefined, sent), idOf)
    const attached = form({ file: 'symbols', fileName: words.filename })
    await demand(world.admin.post(`${path}/${id}/additionalFiles`, undefined, attached), idOf)
    return id
  },
  uploadId: async (world, get) => {
    const path = `/app/${await get('appId')}/bucket/${await get('bucketId')}/uploads`
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '9' }
    const { headers: answered } = await world.admin.post(path, undefined, { headers })
    return answered.location.split('/').at(-1)!
  },
  kickedOffId: async (world, get) => {
    const path = `/app/${await get('appId')}/release`
    const id = await demand(world.admin.post(path, { version: '1.5.0' }), idOf)
    await demand(world.admin.put(`${path}/${id}/kickoff`), idOf)
    return id
  },
  pickingId: async (world, get) => {
    const path = `/app/${await get('appId')}/release`
    const hotfix = { version: '1.4.1', releaseType: 'hotfix', baseTag: { name: 'v1.4.0' } }
    const id: string = await demand(world.admin.post(path, hotfix), idOf)
    await pickOnto(id)
    return id
  },
  fixRequestId: async (world, get) => {
    const app = `/app/${await get('appId')}`
    const settings = `${app}/fixRequestFormFieldsSettings`
    await demand(world.admin.put(settings, { fourEyes: false }), () => null)
    const path = `${app}/release/${await get('kickedOffId')}/fixRequest`
    return demand(world.admin.post(path, { title: 'It crashes' }), idOf)
  },
  issueId: async (world, get) =>
    demand(
      world.admin.post(`/app/${await get('appId')}/triageIssue`, { title: 'It crashes' }),
      idOf
    ),
  endpointId: (world) => {
    const path = `/org/${world.organizationId}/webhookEndpoint`
    return demand(world.admin.post(path, { url: 'https://acme.example/hook' }), idOf)
  },
  calendarFeedId: async (world, get) => {
    const path = `/org/${world.organizationId}/calendarFeed`
    return demand(world.admin.post(path, { appId: await get('appId') }), idOf)
  },
  calendarToken: async (world, get) => {
    const path = `/org/${world.organizationId}/calendarFeed`
    const made = world.admin.post(path, { appId: await get('appId') })
    return demand(made, ({ url }) => url.split('/').at(-1))
  },
  releaseLinkId: async (world, get) => {
    const path = `/app/${await get('appId')}/release/${await get('releaseId')}/link`
    return demand(world.admin.post(path), idOf)
  },
  sharedToken: async (world, get) => {
    const path = `/app/${await get('appId')}/release/${await get('releaseId')}/link`
    return demand(world.admin.post(path), ({ url }) => url.split('/').at(-1))
  },
  deliveryId: async (world, get) => {
    const path = `/org/${world.organizationId}/webhookEndpoint/${await get('endpointId')}/ping`
    return demand(world.admin.post(path), idOf)
  },
  simulatingOrgId: async (world) => {
    const secrets = await service.container.make('integrations.secrets')
    await world.write(async (scope) => {
      if (await findOwnWorld(scope)) return
      await new StartWorld(scope, secrets).handle({ alias: null, seed: null })
    })
    return world.organizationId
  },
  recoveryId: async (world, get) => {
    const path = `/org/${world.organizationId}/webhookEndpoint/${await get('endpointId')}/recover`
    return demand(world.admin.post(path, { since: '2026-01-01T00:00:00Z' }), idOf)
  },
}

/** Gives a release a commit to cherry-pick, which only an app with a repository could choose. */
export async function pickOnto(releaseId: string): Promise<void> {
  const [appId, version] = releaseId.split(':')
  const options = { createBranch: false, bumpVersion: false, cherryPickCommits: [words.hash] }
  await db
    .from('releases')
    .where({ app_id: appId, version })
    .update({ hotfix_options: JSON.stringify(options) })
}

/** Operations that need an organization with a simulated world. */
const SIMULATED = ['/console', '', '/scenario', '/advance', '/reset']

/** The makers of parameters that need another kind of entity in some paths. */
const elsewhere: Record<string, Record<string, string>> = {
  ...Object.fromEntries(
    ['', '/{fixRequestId}', '/{fixRequestId}/approve', '/{fixRequestId}/reject'].map((rest) => [
      `/app/{appId}/release/{releaseId}/fixRequest${rest}`,
      { releaseId: 'kickedOffId' },
    ])
  ),
  ...Object.fromEntries(
    ['', '/rotate', '/channel'].map((rest) => [
      `/org/{orgId}/integration/{connectionId}${rest}`,
      { connectionId: 'unusedConnectionId' },
    ])
  ),
  ...Object.fromEntries(
    ['/channel', '/rotate', '/rotate/authorize'].map((rest) => [
      `/dashboard/org/{orgId}/integration/{connectionId}${rest}`,
      { connectionId: 'unusedConnectionId' },
    ])
  ),
  '/app/{appId}/release/{releaseId}/cherryPick/{hash}': { releaseId: 'pickingId' },
  '/app/{appId}/integration/{integrationInstallationId}/events': {
    integrationInstallationId: 'observingId',
  },
  ...Object.fromEntries(
    SIMULATED.map((rest) => [`/org/{orgId}/simulatedWorld${rest}`, { orgId: 'simulatingOrgId' }])
  ),
}

export const isWord = (name: string): boolean => name in words

/** The entities of one world, each made when it is first asked for. */
export class Fixtures {
  #made = new Map<string, Promise<string>>()

  constructor(readonly world: World) {}

  /** @throws Error for a name without a maker */
  get = (name: string): Promise<string> => {
    if (isWord(name)) return Promise.resolve(words[name])
    let made = this.#made.get(name)
    if (!made) {
      const maker = makers[name]
      if (!maker) throw new Error(`Say in tests/support/fixtures.ts how to make {${name}}`)
      this.#made.set(name, (made = maker(this.world, this.get)))
    }
    return made
  }

  /** Returns a path of the specification with its parameters filled in. */
  async path(template: string, replaced: Record<string, string> = {}): Promise<string> {
    const params = await this.params(template, replaced)
    return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]))
  }

  /** Returns the values of the parameters in a path of the specification. */
  async params(template: string, replaced: Record<string, string> = {}) {
    const params: Record<string, string> = {}
    for (const name of paramsOf(template)) {
      params[name] = replaced[name] ?? (await this.get(elsewhere[template]?.[name] ?? name))
    }
    return params
  }
}

export function paramsOf(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
}
