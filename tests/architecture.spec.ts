import { test } from '@japa/runner'
import { modules } from '#start/modules'
import { code, moduleOf, offending, sources } from './support/code.js'
import { findCycle, groupGraph, importGraph, parse } from './support/sources.js'
import { describedTables, tableUses, uncheckedNames } from './support/table_uses.js'

/*
 * The directions of the code: what may import what, and which tables it may name.
 */

/**
 * The modules from the lowest to the highest: each may import those before it, and of those beside
 * it only what `BESIDE` lists.
 */
const LINE: readonly (readonly string[])[] = [
  ['foundation'],
  ['workflow'],
  ['organizations'],
  ['integrations'],
  ['apps'],
  ['monitoring'],
  ['releases'],
  ['version_control'],
  ['checklists', 'features', 'builds', 'stores', 'fixes', 'distribution', 'planning'],
  ['rollouts', 'progress', 'comparison'],
  ['notifications'],
  ['configuration', 'insights'],
  ['webhooks'],
  ['simulation'],
  ['agents'],
  ['pages'],
]
const BESIDE = new Set([
  'stores → builds',
  'distribution → builds',
  'fixes → builds',
  'fixes → features',
  // Automations submit and release, and mark tickets with their release.
  'planning → stores',
  'planning → features',
])

/** The rooms of the foundation, and which others each may import. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  jobs: ['core'],
  api: ['core', 'jobs'],
  console: ['core', 'api'],
  service: ['core', 'jobs', 'api', 'console'],
}

/** Modules that may change rows of another module's table, and why. */
const CHANGES_BELOW = new Set([
  // Deliveries determine how long a payload can be sent again.
  'webhooks → events',
])

/** The files that run a unit of work. */
const DERIVING = [
  'app/foundation/api/execution/act_and_respond.ts',
  'app/foundation/core/database/unit_of_work.ts',
  'app/foundation/core/scope.ts',
]

const roomOf = (path: string) => /^app\/foundation\/(\w+)\//.exec(path)?.[1] ?? null

const rankOf = (module: string) => LINE.findIndex((each) => each.includes(module))

/** Returns whether a module may import another. */
function mayImport(from: string, to: string): boolean {
  return from === to || rankOf(to) < rankOf(from) || BESIDE.has(`${from} → ${to}`)
}

const pathOf = (name: string) => `app/${name}.ts`
const MODEL = `import { things } from '../tables.js'
export default class Thing extends modelOf(things) {}`
const FINDING = `import Thing from './models/thing.js'
export async function findThing(): Promise<Thing | null> { return null }`
const IMPORTS = `import { things } from '../a/tables.js'
import Thing from '../a/models/thing.js'
import { findThing } from '../a/find_thing.js'`

test.group('architecture', () => {
  test('every import of the project is found', ({ assert }) => {
    assert.isAbove(code.length, 100)
    const known = new Set(sources.map(({ path }) => path))
    assert.deepEqual(
      offending((_, to) => to.startsWith('app/') && !known.has(to)),
      []
    )
  })

  test('no import is circular, type imports included', ({ assert }) => {
    assert.isNull(findCycle(importGraph(code)))
  })

  test('a circular import is detected', ({ assert }) => {
    const file = (name: string, other: string) =>
      parse(`app/${name}.ts`, `import { x } from './${other}.js'`)
    const cycle = [file('a', 'b'), file('b', 'c'), file('c', 'a')]
    assert.deepEqual(findCycle(importGraph(cycle)), ['a', 'b', 'c', 'a'].map(pathOf))
  })

  test('a circular import of types is detected, however they are imported', ({ assert }) => {
    const cycle = [
      parse('app/a.ts', `import type { B } from './b.js'`),
      parse('app/b.ts', `export type { C } from './c.js'`),
      parse('app/c.ts', `export type C = import('./d.js').D`),
      parse('app/d.ts', `export const d = () => import('./a.js')`),
    ]
    assert.deepEqual(findCycle(importGraph(cycle)), ['a', 'b', 'c', 'd', 'a'].map(pathOf))
  })

  test('modules stand in a line: each imports only what is below it', ({ assert }) => {
    const graph = groupGraph(code, moduleOf)
    assert.sameMembers([...graph.keys()], LINE.flat())
    assert.deepEqual(
      offending((from, to) => {
        const [importer, imported] = [moduleOf(from), moduleOf(to)]
        return importer !== null && imported !== null && !mayImport(importer, imported)
      }),
      []
    )
    assert.isNull(findCycle(graph))
  })

  test('a circular import of modules is detected', ({ assert }) => {
    const cycle = [
      parse('app/a/one.ts', `import type { X } from '../b/one.js'`),
      parse('app/b/two.ts', `import { y } from '../a/two.js'`),
    ]
    assert.isNull(findCycle(importGraph(cycle)))
    assert.deepEqual(findCycle(groupGraph(cycle, moduleOf)), ['a', 'b', 'a'])
  })

  test('start/modules.ts lists every module', async ({ assert }) => {
    const paths = sources
      .map(({ path }) => path)
      .filter((path) => /^app\/\w+\/module\.ts$/.test(path))
    const unlisted = new Set(paths)
    for (const path of paths) {
      const exported: object = await import(new URL(`../${path}`, import.meta.url).href)
      if (Object.values(exported).some((each) => modules.includes(each))) unlisted.delete(path)
    }
    assert.isAbove(paths.length, 10)
    assert.deepEqual([...unlisted], [])
  })

  test('the rooms of the foundation stand in a line: each imports only what is below it', ({
    assert,
  }) => {
    assert.sameMembers([...groupGraph(code, roomOf).keys()], Object.keys(ROOMS))
    assert.deepEqual(
      offending((from, to) => {
        const [importer, imported] = [roomOf(from), roomOf(to)]
        return (
          importer !== null &&
          imported !== null &&
          importer !== imported &&
          !ROOMS[importer].includes(imported)
        )
      }),
      []
    )
  })

  test('the modules know nothing of how the service is started', ({ assert }) => {
    assert.deepEqual(
      offending((_, to) => /^(start|config|database|providers|bin)\//.test(to)),
      []
    )
  })

  test('only its own module changes a table, and only modules above it name the table', ({
    assert,
  }) => {
    const owners = describedTables(code)
    assert.includeMembers([...owners.keys()], ['organizations', 'apps', 'releases', 'events'])
    const offences = tableUses(code).flatMap(({ table, isChange, place }) => {
      const [user, owner] = [moduleOf(place)!, moduleOf(owners.get(table)!)!]
      if (user === owner) return []
      if (!mayImport(user, owner)) return [`${place} names ${table}`]
      return isChange && !CHANGES_BELOW.has(`${user} → ${table}`)
        ? [`${place} changes ${table}`]
        : []
    })
    assert.deepEqual(offences, [])
  })

  test('a change of a table is detected, however it is written', ({ assert }) => {
    const described = `export const things = table('things', { id: text() })`
    const uses = (text: string) =>
      tableUses([
        parse('app/a/tables.ts', described),
        parse('app/a/models/thing.ts', MODEL),
        parse('app/a/find_thing.ts', FINDING),
        parse('app/b/use.ts', `${IMPORTS}\n${text}`),
      ])
        .filter(({ place }) => place.startsWith('app/b/'))
        .map(({ table, isChange }) => `${isChange ? 'changes' : 'reads'} ${table}`)
    for (const text of [
      `scope.table('things').where('id', 1).select('id')`,
      `database.from('others').join('things', 'a', 'b')`,
      `from(database, 'things').where('id', 1)`,
      `from(readClient(database), 'things as t').where('t.id', 1)`,
      'select({}, `from things t where t.organization_id = :org`)',
      `scope.query(Thing).where('id', 1)`,
      `select(of(things, 't'), '')`,
      `const thing = await scope.query(Thing).first()\nothers.save(thing)`,
    ]) {
      assert.deepEqual(uses(text), ['reads things'], text)
    }
    for (const text of [
      `scope.table('things').where('id', 1).delete()`,
      `from(client, 'things').where('id', 1).delete()`,
      `const row = from(client, 'things').where('id', 1)\nawait row.clone().update({ id: 2 })`,
      `into(client, 'things').multiInsert([])`,
      `const row = client.from('things').where('id', 1)\nawait row.clone().update({ id: 2 })`,
      'change(`update things set id = 1 where organization_id = :org`)',
      'change(`delete from things where organization_id = :org`)',
      'change(`insert into things (organization_id) values (:org)`)',
      `scope.insert(things, [])`,
      `scope.insertStored('things', [])`,
      `scope.create(Thing, {})`,
      `Thing.query().delete()`,
      `const change = (thing: Thing) => thing.save()`,
      `async function change(thing: Thing | null) { await thing!.merge({}).save() }`,
      `class Change { constructor(private thing: Thing) { this.thing.delete() } }`,
      `const thing = await findThing()\nawait thing?.useTransaction(client).save()`,
    ]) {
      assert.deepEqual(uses(text), ['changes things'], text)
    }
    const found = `const thing = await scope.query(Thing).first()\nif (thing) await thing.save()`
    assert.deepEqual(uses(found), ['reads things', 'changes things'])
  })

  test('tables are queried by checked names', ({ assert }) => {
    const exempt = [
      // These check the name.
      'app/foundation/core/database/from.ts',
      'app/foundation/core/scope.ts',
      // A SELECT in place of a table.
      'app/releases/queries/current_releases.ts',
    ]
    const places = uncheckedNames(code)
    assert.deepEqual(
      places.filter((place) => !exempt.includes(place.split(':')[0])),
      []
    )
    assert.sameMembers([...new Set(places.map((place) => place.split(':')[0]))], exempt)
  })

  test('an unchecked table name is detected', ({ assert }) => {
    for (const [text, isFound] of [
      [`client.from('things').where('id', 1)`, true],
      [`await readClient(this.database)\n  .from('things')`, true],
      [`scope.client.table(name).insert({})`, true],
      [`this.#database.table('things').insert({})`, true],
      [`from(client, 'things').where('id', 1)`, false],
      [`this.scope.table('things').where('id', 1)`, false],
      [`Buffer.from('things')`, false],
      [`this.from(hash)`, false],
    ] as const) {
      const places = uncheckedNames([parse('app/a.ts', text)])
      assert.equal(places.length === 1, isFound, text)
    }
  })

  test('a built-in provider imports nothing of the service but the kit', ({ assert }) => {
    const home = (path: string) => /^app\/integrations\/providers\/\w+\//.exec(path)?.[0]
    const providers = code.filter(({ path }) => home(path))
    assert.isAbove(providers.length, 10)
    const foreign = offending((from, to) => {
      const own = home(from)
      const isOurs = /^(app|start|config|database|providers|bin)\//.test(to)
      return own !== undefined && isOurs && !to.startsWith(own)
    })
    assert.deepEqual(foreign, [])
    // Others load a provider by its entry alone, which config/integrations.ts names.
    const importers = code.flatMap(({ path, imports }) =>
      imports.filter(({ target }) => home(target) && home(target) !== home(path)).map(() => path)
    )
    const mayImportProviders = [
      // The simulated git host is git in a folder, plus the requests that git lacks.
      'app/simulation/provider/git_host/git_host.ts',
      // Simulated people of a rehearsal work in that folder, with the same program.
      'app/simulation/rehearsal/git_folder.ts',
    ]
    assert.deepEqual(
      importers.filter((path) => !mayImportProviders.includes(path)),
      []
    )
  })

  test('the engine imports only itself, types, vocabularies, versions and the standard library', ({
    assert,
  }) => {
    const engine = 'app/releases/engine/'
    const isAllowed = (to: string) =>
      to.startsWith(engine) ||
      to.startsWith('node:') ||
      to === 'app/workflow/version.ts' ||
      /^app\/\w+\/vocabulary\.ts$/.test(to)
    assert.deepEqual(
      offending((from, to, isType) => from.startsWith(engine) && !isType && !isAllowed(to)),
      []
    )
  })

  test('no module imports the controllers, routes or validators of another', ({ assert }) => {
    assert.deepEqual(
      offending(
        (from, to) =>
          /^app\/\w+\/(controllers|validators)\/|\/(routes|validators)\.ts$/.test(to) &&
          moduleOf(from) !== moduleOf(to)
      ),
      []
    )
  })

  test('pages hold no rules: of modules they import only vocabularies, entities and addresses', ({
    assert,
  }) => {
    const isPage = (path: string) =>
      path.startsWith('app/pages/') && !/^app\/pages\/(session\/|module\.ts$)/.test(path)
    // The chat offers the red button by the same reading of the entity as the pages.
    const mayBeKnown =
      /\/(\w+_)?(entities|entity|vocabulary|addresses)\.ts$|^app\/rollouts\/red_button\.ts$/
    assert.deepEqual(
      offending((from, to) => {
        const module = moduleOf(to)
        const isOther = module !== null && module !== 'foundation' && module !== 'pages'
        return isPage(from) && isOther && !mayBeKnown.test(to)
      }),
      []
    )
  })

  test('actions touch what they changed, and only the files that run a unit of work derive it', ({
    assert,
  }) => {
    assert.deepEqual(
      offending((_, to) => to === 'app/releases/lifecycle/derive_release.ts'),
      ['app/releases/module.ts → app/releases/lifecycle/derive_release.ts']
    )
    const deriving = code.filter(({ text }) => /\.derive\(\)/.test(text)).map(({ path }) => path)
    assert.sameMembers(deriving, DERIVING)
  })

  test('the code of the service imports no test', ({ assert }) => {
    assert.deepEqual(
      offending((_, to) => to.startsWith('tests/') || to.includes('/tests/')),
      []
    )
  })
})
