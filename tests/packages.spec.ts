import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, matchesGlob } from 'node:path'
import { test } from '@japa/runner'
import { offending } from './support/code.js'
import { findCycle, importGraph, readSources, type Source } from './support/sources.js'

/*
 * The packages know nothing of the product. These tests check what they may import, and what the
 * service may import from them.
 */

interface PackageManifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  /** Absent for a program. A published package names its source under a condition. */
  exports?: Record<string, string | { 'tarmac-source': string }>
}

/** Returns the package of an import: `@octokit/core/x` belongs to `@octokit/core`. */
const packageOf = (target: string) => /^(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target

/** Returns the folder of a package of this repository, or the name of any other. */
const folderOrName = (name: string) => name.replace(/^@tarmac\/(.+)$/, 'packages/$1/')

const isNoTest = ({ path }: Source) => !path.includes('/tests/')

/** The packages by folder, except the plugin kit, which has rules of its own. */
const packages = new Map(
  globSync('packages/*/package.json')
    .map((path) => basename(dirname(path)))
    .filter((name) => name !== 'plugin-kit')
    .map((name) => {
      const text = readFileSync(`packages/${name}/package.json`, 'utf8')
      const manifest = JSON.parse(text) as PackageManifest
      return [name, { sources: readSources(`packages/${name}`), manifest }] as const
    })
)

test.group('packages', () => {
  test('a package imports only itself, its dependencies and the standard library', ({ assert }) => {
    for (const [name, { sources, manifest }] of packages) {
      // A program bundles packages that are its development dependencies.
      const { dependencies, devDependencies } = manifest
      const known = Object.keys({ ...dependencies, ...devDependencies }).map(folderOrName)
      const isOwn = (target: string) =>
        target.startsWith(`packages/${name}/`) || target.startsWith('node:')
      const imported = sources
        .filter(isNoTest)
        .flatMap(({ imports }) => imports.map(({ target }) => target))
        .filter((target) => !isOwn(target))
        .map((target) => /^packages\/[^/]+\//.exec(target)?.[0] ?? folderOrName(packageOf(target)))
      assert.sameMembers([...new Set(imported)], known, name)
      assert.isNull(findCycle(importGraph(sources)))
    }
  })

  test('the service imports only what a package exports', ({ assert }) => {
    for (const [name, { manifest }] of packages) {
      const exported = Object.values(manifest.exports ?? {}).map((each) =>
        join('packages', name, typeof each === 'string' ? each : each['tarmac-source'])
      )
      const isExported = (target: string) => exported.some((each) => matchesGlob(target, each))
      const notExported = offending(
        (_, target) => target.startsWith(`packages/${name}/`) && !isExported(target)
      )
      assert.deepEqual(notExported, [], name)
    }
  })

  test('the client imports nothing of Node, and the service imports neither client nor command line', ({
    assert,
  }) => {
    const ofClient = packages.get('client')!.sources.filter(isNoTest)
    const targets = ofClient.flatMap(({ imports }) => imports.map(({ target }) => target))
    assert.includeMembers(targets, ['openapi-fetch', 'standardwebhooks'])
    assert.deepEqual(
      targets.filter((target) => target.startsWith('node:')),
      []
    )
    const isClientOrCli = (target: string) => /^(packages\/|@tarmac\/)(client|cli)\b/.test(target)
    assert.deepEqual(
      offending((_, target) => isClientOrCli(target)),
      []
    )
  })

  test('the plugin kit imports only itself, the standard library and packages that sign tokens', ({
    assert,
  }) => {
    const kit = readSources('packages/plugin-kit').filter(
      ({ path }) => !/^packages\/plugin-kit\/(build|.*tests)\//.test(path)
    )
    assert.isAbove(kit.length, 10)
    const known = ['jose', 'oauth4webapi']
    const isOwn = (target: string) =>
      target.startsWith('packages/plugin-kit/') ||
      target.startsWith('node:') ||
      known.includes(target)
    const foreign = kit.flatMap(({ path, imports }) =>
      imports.flatMap(({ target }) => (isOwn(target) ? [] : [`${path} → ${target}`]))
    )
    // The template is a package of its own, and runs its tests itself.
    assert.deepEqual(foreign, ['packages/plugin-kit/template/bin/test.ts → @japa/runner'])
    assert.isNull(findCycle(importGraph(kit)))
  })

  test('a vendor plugin imports only what its package.json names, and nothing of the service', ({
    assert,
  }) => {
    const plugins = globSync('plugins/*/package.json')
    assert.isNotEmpty(plugins)
    for (const path of plugins) {
      const folder = dirname(path)
      const { dependencies = {}, devDependencies = {} } = JSON.parse(
        readFileSync(path, 'utf8')
      ) as PackageManifest
      const foreign = readSources(folder)
        .filter(isNoTest)
        .flatMap(({ path: from, imports }) =>
          imports
            .filter(({ target }) => !target.startsWith(`${folder}/`) && !target.startsWith('node:'))
            .map(({ target, isType }) => ({ from, isType, name: packageOf(target) }))
        )
        .filter(
          ({ name, isType }) => !(name in dependencies) && !(isType && name in devDependencies)
        )
      assert.deepEqual(foreign, [])
      assert.property(dependencies, '@tarmac/plugin-kit')
      assert.isNull(findCycle(importGraph(readSources(folder))))
    }
  })

  test('the entry of the kit imports nothing of Node or of other packages', ({ assert }) => {
    const kit = readSources('packages/plugin-kit')
    const visited = new Set<string>()
    const visit = (path: string): string[] => {
      if (visited.has(path)) return []
      visited.add(path)
      const source = kit.find((each) => each.path === path)
      return (source?.imports ?? []).flatMap(({ target }) =>
        target.startsWith('packages/plugin-kit/') ? visit(target) : [`${path} → ${target}`]
      )
    }
    assert.deepEqual(visit('packages/plugin-kit/index.ts'), [])
    assert.isAbove(visited.size, 10)
  })

  test('no page tells readers to install packages that are not in a registry yet', ({ assert }) => {
    const pages = globSync('{*.md,{app,ci,docs,examples,packages,plugins}/**/*.{md,edge,yml,yaml}}')
      .filter((path) => !path.includes('node_modules'))
      .map((path) => [path, readFileSync(path, 'utf8')])
    assert.isAbove(pages.length, 100)
    const install = /\bnpx (-\S+ )*@tarmac\/|\bnpm (i|install|add|exec)\b[^\n`]* @tarmac\//
    assert.deepEqual(
      pages.filter(([, text]) => install.test(text)).map(([path]) => path),
      []
    )
    for (const name of ['client', 'cli'])
      assert.include(readFileSync(`packages/${name}/README.md`, 'utf8'), '`npm run pack`')
  })
})
