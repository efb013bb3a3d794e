/*
 * Removes from `node_modules` what the service never loads: `npm ci --omit=dev && node
 * bin/prune.js`. See docs/decisions/0009-starting-and-shipping.md.
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Dependencies of packages that the service never loads, with the reason. Their own dependencies
 * are removed with them.
 */
export const LEFT_OUT = {
  '@faker-js/faker': 'Factories of models, for tests; the service has none',
  '@types/node': 'Types, which the client of Slack counts among what it needs',
  '@types/retry': 'The same',
  '@redis/client': 'A store of tus for another client of Redis; uploads are kept in a folder',
}

/** TypeScript sources, type declarations and source maps, which Node never loads. */
const FOR_AUTHORS = /\.[cm]?ts$|\.map$/

/** Further unneeded files of kept packages: sources, and binaries for other platforms. */
const OTHER_FILES = {
  'better-sqlite3': [
    /^(deps|src)\//,
    new RegExp(`^prebuilds/(?!${process.platform}.*-${process.arch}\\.node$)`),
  ],
}

const NESTED = 'node_modules/'

/**
 * Returns the path of a package as Node resolves it from another one; undefined if it is not
 * installed.
 */
function find(packages, from, name) {
  for (let base = from; ; base = base.slice(0, Math.max(base.lastIndexOf(NESTED), 0))) {
    const place = `${base}${base === '' || base.endsWith('/') ? '' : '/'}${NESTED}${name}`
    if (packages[place]) return place
    if (base === '') return undefined
  }
}

/**
 * Returns the dependencies of a package. Optional peers do not count, since they do not install
 * anything.
 */
function namesOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }) {
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !peerDependenciesMeta?.[name]?.optional
  )
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers].filter(
    (name) => !(name in LEFT_OUT)
  )
}

/**
 * Returns the paths of the packages that the service may load.
 * @param root the content of package.json
 * @param packages the lock file's entries by path
 */
export function keptPackages(root, packages) {
  const kept = new Set()
  const visit = (from, names) => {
    for (const name of names) {
      const place = find(packages, from, name)
      if (!place || kept.has(place)) continue
      kept.add(place)
      const { link, resolved } = packages[place]
      // A workspace of this repository is a link to a folder outside of `node_modules`.
      if (link) visit(resolved, namesOf(packages[resolved]))
      else visit(place, namesOf(packages[place]))
    }
  }
  const { dependencies, optionalDependencies } = root
  visit('', namesOf({ dependencies, optionalDependencies }))
  return kept
}

/**
 * Returns whether the service does not need a file, by the path of its package and its path in it.
 */
export function isLeftOut(place, file) {
  const name = place.slice(place.lastIndexOf(NESTED) + NESTED.length)
  return FOR_AUTHORS.test(file) || (OTHER_FILES[name] ?? []).some((each) => each.test(file))
}

/** Yields the files of a package, without those of nested packages. */
export function* filesOf(folder, inside = '') {
  for (const entry of fs.readdirSync(join(folder, inside), { withFileTypes: true })) {
    const file = inside + entry.name
    if (!entry.isDirectory()) yield file
    else if (entry.name !== 'node_modules') yield* filesOf(folder, `${file}/`)
  }
}

/** Removes links to commands of removed packages, and empty folders. */
function sweep(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const place = join(folder, entry.name)
    if (entry.isDirectory()) sweep(place)
    else if (entry.isSymbolicLink() && !fs.existsSync(place)) fs.rmSync(place)
  }
  if (fs.readdirSync(folder).length === 0) fs.rmdirSync(folder)
}

function prune(folder) {
  const lockFile = join(folder, NESTED, '.package-lock.json')
  const root = JSON.parse(fs.readFileSync(join(folder, 'package.json'), 'utf8'))
  const lock = JSON.parse(fs.readFileSync(lockFile, 'utf8'))
  const kept = keptPackages(root, lock.packages)
  const isInstalled = (place) => place.startsWith(NESTED)
  const gone = Object.keys(lock.packages).filter((place) => isInstalled(place) && !kept.has(place))
  for (const place of gone) {
    fs.rmSync(join(folder, place), { recursive: true, force: true })
    delete lock.packages[place]
  }
  for (const place of [...kept].filter((each) => !lock.packages[each].link)) {
    for (const file of filesOf(join(folder, place))) {
      if (isLeftOut(place, file)) fs.rmSync(join(folder, place, file))
    }
  }
  sweep(join(folder, NESTED))
  fs.writeFileSync(lockFile, JSON.stringify(lock, null, 2))
  // Image layers store times in whole seconds, and bin/typescript.js compares this time.
  const seconds = Math.floor(fs.statSync(lockFile).mtimeMs / 1000)
  fs.utimesSync(lockFile, seconds, seconds)
  console.log(`${kept.size} packages are kept, ${gone.length} are left out.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  prune(fileURLToPath(new URL('..', import.meta.url)))
}
