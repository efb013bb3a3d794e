import { test } from '@japa/runner'
import fc from 'fast-check'
import { storeKindOf, APP_PLATFORMS } from '#apps/vocabulary'
import { checkChangedApp, checkNewApp } from '#configuration/checks/check_configuration'
import { toYaml } from '#configuration/yaml/write_yaml'
import type { AppConfiguration } from '#configuration/model'
import { planChange } from '#configuration/plan'
import { MAX_NAMED_RELEASES, planRemoval } from '#configuration/plan_removal'
import { readYaml } from '#configuration/yaml/read_yaml'
import { validFiles, write } from './generators.js'
import { CONTEXT } from './generators/known.js'
import type { FileMap, FileValue } from './generators/values.js'
import { problemsOf, tree, valueOf } from './helpers.js'
import { runs } from '#tests/support/effort'

const create = (text: string) => checkNewApp(tree(text), CONTEXT)
const files = validFiles({ integrations: true })

test.group('Configuration | round trip', () => {
  test('an app from a valid file is exported, created again and exported the same', ({
    assert,
  }) => {
    fc.assert(
      fc.property(files, (file) => {
        const app = valueOf(create(write(file)))
        const exported = toYaml(app)
        const again = valueOf(create(exported))
        assert.deepEqual(again, app)
        assert.equal(toYaml(again), exported)
        assert.equal(toYaml(app), exported)
      }),
      { numRuns: runs(300) }
    )
  })

  test('a file with only a name and a platform gets working defaults', ({ assert }) => {
    for (const platform of APP_PLATFORMS) {
      const app = valueOf(create(`name: Acme\nplatform: ${platform}\n`))
      assert.deepEqual(
        app.buckets.map((bucket) => bucket.type),
        ['rc', 'dev']
      )
      assert.equal(app.appSettings.defaultReleaseType, 'standard')
      const archetypes = app.stepGroups.flatMap((group) => group.steps.map((s) => s.archetype))
      assert.equal(archetypes[0], 'kickoff')
      assert.equal(archetypes.includes('storeReview'), storeKindOf(platform) !== 'ota')
      assert.deepEqual(valueOf(create(toYaml(app))), app)
    }
  })

  test('an export has the order of the specification and nothing empty', ({ assert }) => {
    const app = valueOf(create('platform: ios\ntagSettings: {t: {pattern: "v{version}"}}\nname: A'))
    assert.deepEqual(toYaml(app).match(/^\w+/gm), [
      'name',
      'platform',
      'buildDistro',
      'appSettings',
      'tagSettings',
      'appStoreReleaseSettings',
      'stepGroups',
    ])
    assert.notMatch(toYaml(app), /null|\[\]|\{\}/)
  })
})

test.group('Configuration | plan', () => {
  const apps = files.map((file) => valueOf(create(write(file))))

  test('the plan of an unchanged file is empty', ({ assert }) => {
    fc.assert(
      fc.property(apps, (app) => {
        const context = { ...CONTEXT, current: app }
        const wanted = valueOf(checkChangedApp(tree(toYaml(app)), context))
        assert.deepEqual(wanted, app)
        assert.deepEqual(planChange(app, wanted), [])
      }),
      { numRuns: runs(150) }
    )
  })

  test('a plan is empty only between configurations that are exported alike', ({ assert }) => {
    const sorted = (app: AppConfiguration) => ({
      ...app,
      integrations: app.integrations.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    })
    fc.assert(
      fc.property(apps, apps, (one, other) => {
        const same = planChange(one, other).length === 0
        assert.equal(same, toYaml(sorted(one)) === toYaml(sorted(other)))
      }),
      { numRuns: runs(100) }
    )
  })

  test('each change has its operation, its values and its effect', ({ assert }) => {
    const app = valueOf(create('name: Acme\nplatform: ios\nappGroup: Old\nappUsers: [a@b.example]'))
    const text = [
      'name: Acme Two',
      'appGroup: null',
      'appSettings: {requireFixApprovals: true}',
      'appUsers: [a@b.example, c@b.example]',
      'buildDistro: {buckets: {Release candidates: {type: rc, notificationsEnabled: true}, Nightly: }}',
    ].join('\n')
    const wanted = valueOf(checkChangedApp(tree(text), { ...CONTEXT, current: app }))
    const plan = planChange(app, wanted)
    assert.deepEqual(
      plan.map(({ op, path, from, to }) => [op, path, from, to]),
      [
        ['remove', 'appGroup', 'Old', null],
        ['change', 'name', 'Acme', 'Acme Two'],
        ['change', 'buildDistro.buckets["Release candidates"].notificationsEnabled', false, true],
        [
          'add',
          'buildDistro.buckets.Nightly',
          null,
          { type: 'custom', orgWideAccessEnabled: false, notificationsEnabled: false },
        ],
        ['change', 'appSettings.requireFixApprovals', false, true],
        ['change', 'appUsers', ['a@b.example'], ['a@b.example', 'c@b.example']],
      ]
    )
    assert.isTrue(plan.every(({ effect }) => effect.length > 10))
  })

  test('steps are followed by name, else by archetype, and a new arrangement is one change', ({
    assert,
  }) => {
    const workflow = (names: string[][]) => {
      const step = (name: string) =>
        `{name: ${name}, archetype: metadata, releaseTypes: {standard: {required: true}}}`
      const groups = names.map((group) => `{steps: [${group.map(step).join(', ')}]}`)
      return `name: A\nplatform: ios\nstepGroups: [${groups.join(', ')}]`
    }
    const plan = (before: string[][], after: string[][]) =>
      planChange(valueOf(create(workflow(before))), valueOf(create(workflow(after)))).map(
        ({ op, path }) => `${op} ${path}`
      )
    assert.deepEqual(plan([['a', 'b']], [['a', 'x']]), ['change stepGroups[0].steps[1].name'])
    assert.deepEqual(plan([['a', 'b'], ['c']], [['x', 'a', 'b'], ['c']]), [
      'add stepGroups[0].steps[0]',
    ])
    assert.deepEqual(plan([['a', 'b'], ['c']], [['a'], ['c']]), ['remove stepGroups[0].steps[1]'])
    assert.deepEqual(plan([['a', 'b']], [['b', 'a']]), ['change stepGroups'])
    assert.deepEqual(plan([['a', 'b']], [['a'], ['b']]), ['change stepGroups'])
    assert.deepEqual(plan([['a'], ['b'], ['c']], [['a'], ['c']]), ['remove stepGroups[1].steps[0]'])
  })

  test('a new app consists of additions, a removal lists everything', ({ assert }) => {
    const app = valueOf(create('name: Acme\nplatform: ios'))
    assert.isTrue(planChange(null, app).every(({ op, from }) => op === 'add' && from === null))
    assert.equal(planChange(null, app)[0].path, 'name')
    assert.isTrue(planRemoval(app, []).every(({ op, to }) => op === 'remove' && to === null))
  })

  test('a removal names a thousand releases and counts the rest', ({ assert }) => {
    const app = valueOf(create('name: Acme\nplatform: ios'))
    const releases = Array.from({ length: MAX_NAMED_RELEASES + 2 }, (_, index) => ({
      publicId: `acme-ios:1.${index}`,
      appId: 'acme-ios',
      version: `1.${index}`,
      status: 'completed' as const,
      phase: 'released' as const,
    }))
    const of = (count: number) =>
      planRemoval(app, releases.slice(0, count)).filter(({ path }) => path.startsWith('releases'))
    assert.lengthOf(of(MAX_NAMED_RELEASES), MAX_NAMED_RELEASES)
    const all = of(releases.length)
    assert.lengthOf(all, MAX_NAMED_RELEASES + 1)
    assert.containsSubset(all.at(-1)!, { path: 'releases', from: 2 })
    assert.include(all.at(-1)!.effect, '2 older releases')
  })
})

test.group('Configuration | changing', () => {
  const current = valueOf(
    create(
      'name: Acme\nplatform: ios\nappGroup: G\nappUsers: [a@b.example]\n' +
        'tagSettings: {t: {pattern: "v{version}"}}\nappSettings: {versionFiles: [a.properties, b.properties]}\n'
    )
  )
  const change = (text: string) => valueOf(checkChangedApp(tree(text), { ...CONTEXT, current }))

  test('a list or map given replaces, what is absent stays, null clears', ({ assert }) => {
    assert.deepEqual(change('tagSettings: {u: {pattern: "{version}"}}').tagSettings, [
      { name: 'u', pattern: '{version}' },
    ])
    assert.deepEqual(change('appUsers: []').appUsers, [])
    assert.isNull(change('appGroup: null').appGroup)
    assert.deepEqual(change('tagSettings:').tagSettings, [])
    const settings = change(
      'appSettings: {versionFiles: [c.properties], requireFixApprovals: true}'
    )
    assert.deepEqual(settings.appSettings.versionFiles, ['c.properties'])
    assert.isTrue(settings.appSettings.requireFixApprovals)
    assert.equal(settings.appGroup, 'G')
    assert.deepEqual(change('appSettings: {versionFiles: null}').appSettings.versionFiles, [])
    assert.deepEqual(change('appSettings: null').appSettings.versionFiles, [])
  })

  test('an app always keeps its two buckets and a workflow', ({ assert }) => {
    const types = (text: string) => change(text).buckets.map((bucket) => bucket.type)
    assert.deepEqual(types('buildDistro: {buckets: {Release candidates: {type: dev}}}'), [
      'dev',
      'rc',
    ])
    assert.deepEqual(types('buildDistro: null'), ['rc', 'dev'])
    assert.isAbove(change('stepGroups: []').stepGroups.length, 0)
    assert.deepEqual(change('stepGroups: null').stepGroups, current.stepGroups)
  })
})

test.group('Configuration | mutations', () => {
  test('a value of the wrong kind anywhere is a problem with a path', ({ assert }) => {
    fc.assert(
      fc.property(files, fc.nat(), fc.constantFrom('kind', 'key'), (file, seed, mutation) => {
        const path = mutation === 'kind' ? spoilValue(file, seed) : spoilKey(file, seed)
        if (path === null) return
        const problems = problemsOf(create(write(file)))
        assert.isAbove(problems.length, 0, write(file))
        assert.isTrue(problems.every(({ line, column }) => line > 0 && column > 0))
        assert.isTrue(problems.some((problem) => problem.path !== ''))
      }),
      { numRuns: runs(400) }
    )
  })

  test('a file with missing letters never throws', ({ assert }) => {
    fc.assert(
      fc.property(
        files,
        fc.nat(),
        fc.constantFrom('', ':', '-', '{', '"', '\t', '&a', '*a'),
        (...input) => {
          const [file, seed, piece] = input
          const text = write(file)
          const at = seed % text.length
          const reading = readYaml(text.slice(0, at) + piece + text.slice(at + 1))
          if (!reading.ok) return
          assert.doesNotThrow(() => checkNewApp(reading.root, CONTEXT))
        }
      ),
      { numRuns: runs(400) }
    )
  })
})

/** Replaces one value with something that no field accepts. */
function spoilValue(file: FileMap, seed: number): string | null {
  const elements: [FileMap | FileValue[], string | number][] = []
  collect(file, elements)
  const [owner, key] = elements[seed % elements.length]
  const nonsense: FileValue = new Map<string, FileValue>([['no such key', [[1]]]])
  if (Array.isArray(owner)) owner[Number(key)] = nonsense
  else owner.set(String(key), nonsense)
  return String(key)
}

/** Adds an unknown key to an object with fixed keys. */
function spoilKey(file: FileMap, seed: number): string | null {
  const sections = ['', 'buildDistro', 'appSettings', 'appStoreReleaseSettings']
  const section = sections[seed % sections.length]
  const owner = section === '' ? file : file.get(section)
  if (!(owner instanceof Map)) return null
  owner.set('platfrom', 'ios')
  return section
}

function collect(value: FileValue, into: [FileMap | FileValue[], string | number][]): void {
  const entries =
    value instanceof Map ? [...value] : Array.isArray(value) ? [...value.entries()] : []
  for (const [key, each] of entries) {
    into.push([value as FileMap | FileValue[], key])
    collect(each, into)
  }
}
