import { join } from 'node:path'
import type { ApplicationService } from '@adonisjs/core/types'
import { findApp } from '#apps/queries/find_app'
import { consolePrincipal } from '#foundation/console/console_command'
import type { Scope } from '#foundation/core/scope'
import { ConnectProvider } from '#integrations/actions/connect_provider'
import { plugins } from '#integrations/plugins/plugin_registry'
import { CreateGroup } from '#organizations/actions/create_group'
import { CreateOrganization } from '#organizations/actions/create_organization'
import { CreateUser } from '#organizations/actions/create_user'
import { ImportReleases } from '#releases/actions/import_releases'
import { tagName } from '#releases/names/tag_names'
import { parseVersion } from '#workflow/version'
import { playScenario, StartWorld } from '../actions/start_world.js'
import { findWorld } from '../queries/find_world.js'
import { readScenario } from '../scenarios/read_scenario.js'
import type { World } from '../world/world.js'
import type { Person } from './deeds.js'
import { GitFolder } from './git_folder.js'
import type { RehearsalPlan, RehearsedPerson } from './plan.js'
import { RehearsedWorld } from './rehearsed_world.js'
import { RehearsedService } from './service.js'
import { ALIASES, standIn, type Substitution } from './stand_ins.js'

/** The people of a rehearsal if the plan has none. */
const DEFAULT_PEOPLE = [
  { email: 'ada@rehearsal.example', name: 'Ada', groups: [] },
  { email: 'grace@rehearsal.example', name: 'Grace', groups: [] },
]

/** Everything that a rehearsal begins with. */
export interface Stage {
  service: RehearsedService
  world: RehearsedWorld
  substitution: Substitution
  people: Person[]
  seed: string
  scenario: string
  appId: string
  platform: string
}

/** Sets up the organization of a rehearsal in an empty home: its people, its world and its app. */
export async function setUp(
  app: ApplicationService,
  plan: RehearsalPlan,
  home: string
): Promise<Stage> {
  const database = await app.container.make('lucid.db')
  const clock = await app.container.make('clock')
  await (await app.container.make('migrations')).runDue()
  const organization = await new CreateOrganization(database, clock).handle({ name: 'Rehearsal' })
  const service = await RehearsedService.of(app, consolePrincipal(organization))
  const people = await service.write((scope) => bringPeople(scope, plan))
  const substitution = standIn(plan.configuration, plugins.types(), plan.hasRepository)
  const folder = join(home, 'repositories')
  const { seed, scenario } = await beginWorld(app, service, plan, folder)
  await connectMeasurements(app, service)
  const document = substitution.configuration
  const [repository] = substitution.expected.repositories
  const { branches } = substitution.expected
  const branch = branches[0] ?? 'main'
  const isGit = plan.hasRepository && repository !== undefined
  const git = isGit ? await GitFolder.make({ folder, name: repository, branch, clock }) : null
  const world = new RehearsedWorld(service, repository ? { repository, branch } : null, git)
  await world.read()
  await world.change((before) => withExpected(before, substitution, people))
  const { id: appId, platform } = await service.ask('createAppFromConfiguration', {
    params: { orgId: organization.id },
    body: { bytes: Buffer.from(document), contentType: 'application/yaml' },
  })
  const past = plan.after === null ? null : parseVersion(plan.after)
  if (past) {
    const released = { version: past, tag: null, releasedAt: plan.begin }
    const tag = await service.write(async (scope) => {
      await new ImportReleases(scope).handle(appId, [released])
      return tagName(await findApp(scope, appId), plan.after!)
    })
    await world.tag(tag)
  }
  await defineItems(service, plan, appId)
  return { service, world, substitution, people, seed, scenario, appId, platform }
}

async function bringPeople(scope: Scope, plan: RehearsalPlan): Promise<Person[]> {
  const known: { id: string; name: string }[] = await scope.table('groups').select('id', 'name')
  const ids = new Map(known.map(({ id, name }) => [name.toLowerCase(), id]))
  for (const { name, userActions } of plan.groups) {
    if (ids.has(name.toLowerCase())) continue
    const group = await new CreateGroup(scope).handle({ name, userActions })
    ids.set(name.toLowerCase(), group.id)
  }
  const open = plan.groups.flatMap(({ name, hasEverybody = false }) =>
    hasEverybody ? ids.get(name.toLowerCase())! : []
  )
  const people: Person[] = []
  for (const { email, name, groups, hasLeft = false } of plan.people.concat(defaultPeople(plan))) {
    const own = groups.flatMap((each) => ids.get(each.toLowerCase()) ?? [])
    // People without groups get all permissions.
    const all = new Set([...known.map(({ id }) => id), ...open])
    const groupIds = own.length > 0 || hasLeft ? own : [...all]
    const { id } = await new CreateUser(scope).handle({ email, name, groupIds })
    if (!hasLeft) people.push({ email, actor: { type: 'user', id, name: name ?? email } })
  }
  return people
}

/** Returns people to add if the plan has none who can act. */
const defaultPeople = ({ people }: RehearsalPlan): RehearsedPerson[] =>
  people.some(({ hasLeft }) => !hasLeft) ? [] : DEFAULT_PEOPLE

async function beginWorld(
  app: ApplicationService,
  service: RehearsedService,
  plan: RehearsalPlan,
  folder: string
) {
  const scenario = await readScenario(Buffer.from(plan.scenario))
  const secrets = await app.container.make('integrations.secrets')
  return service.write(async (scope) => {
    const repositories = plan.hasRepository ? folder : null
    const seed = plan.seed ?? 'usual'
    await new StartWorld(scope, secrets).handle({ alias: ALIASES.sim, seed, repositories })
    return playScenario(scope, await findWorld(scope), scenario, plan.seed)
  })
}

async function connectMeasurements(app: ApplicationService, service: RehearsedService) {
  const secrets = await app.container.make('integrations.secrets')
  const { manifest } = plugins.find('generic-analytics')!
  const alias = ALIASES['generic-analytics']
  const given = { manifest, alias, settings: {}, credentials: {}, check: null }
  await service.write((scope) => new ConnectProvider(scope, secrets).handle(given))
}

/** Adds what the configuration file expects of its providers. */
function withExpected(
  world: World,
  { expected, standIns }: Substitution,
  people: readonly Person[]
): World {
  const { ci, chat, newRepository, newAppStore, newPlay } = world
  const inStore = <Store>(store: Store) =>
    Object.fromEntries(expected.apps.map((id) => [id, store]))
  const isIn = (type: string) => standIns.some(({ standIn: each }) => each === type)
  const missing = <Each>(all: readonly Each[], known: readonly Each[]) =>
    [...new Set(all)].filter((each) => !known.includes(each))
  const channels = missing(
    expected.channels,
    chat.channels.map(({ id }) => id)
  )
  const workflows = missing(
    expected.workflows,
    ci.workflows.map(({ id }) => id)
  )
  const [main] = newRepository.branches
  return {
    ...world,
    // A build that reaches a store is visible from the beginning.
    appStores: isIn('sim-apple') ? inStore(newAppStore) : {},
    plays: isIn('sim-google') ? inStore(newPlay) : {},
    ci: { ...ci, workflows: [...ci.workflows, ...workflows.map((id) => ({ id, name: id }))] },
    chat: {
      ...chat,
      channels: [...chat.channels, ...channels.map((id) => ({ id, name: id }))],
      users: people.map(({ email }, index) => ({ id: `U${index + 1}`, email })),
    },
    newRepository: {
      ...newRepository,
      branches: [
        ...newRepository.branches,
        ...missing(expected.branches, ['main']).map((name) => ({ ...main, name })),
      ],
    },
  }
}

/** Defines the items of the app, which are no part of its configuration file. */
async function defineItems(service: RehearsedService, { items }: RehearsalPlan, appId: string) {
  const operations = {
    checklist: 'createChecklistItem',
    approval: 'createApprovalItem',
    regression: 'createRegressionItem',
  }
  if (items.length === 0) return
  const { steps }: { steps: { id: string; groupIndex: number; position: number }[] } =
    await service.ask('getApp', { params: { appId } })
  const scope = service.read()
  const groups: { id: string; name: string }[] = await scope.table('groups').select('id', 'name')
  const ids = new Map(groups.map(({ id, name }) => [name, id]))
  for (const item of items) {
    const { kind, title, releaseTypes, required, stepType, requiredApprovals, fourEyes } = item
    const step = steps.find(
      ({ groupIndex, position }) =>
        groupIndex === item.step?.group && position === item.step.position
    )
    const body = {
      ...{ title, releaseTypes, required },
      owners: item.owners.map(({ type, name }) => ({
        type,
        id: type === 'group' ? ids.get(name!) : name,
      })),
      ...(kind === 'checklist' && (step ? { stepConfigId: step.id } : { stepType })),
      ...(kind === 'approval' && requiredApprovals !== null && { requiredApprovals }),
      ...(kind === 'approval' && fourEyes !== null && { fourEyes }),
    }
    await service.ask(operations[kind], { params: { appId }, body })
  }
}
