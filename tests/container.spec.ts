import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'
import { parse } from 'yaml'
import { sitePages } from '../docs/.vitepress/pages.js'
import { settings } from '#start/settings'

/*
 * The image, the compose files and the units of systemd describe the service correctly. `npm run
 * test:container` tries that the image can be built and works.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const readJson = (path: string) => JSON.parse(read(path)) as Record<string, Record<string, string>>

interface Compose {
  services: Record<string, ComposeService>
  volumes: Record<string, unknown>
}

interface ComposeService {
  image: string
  environment?: Record<string, string>
  command?: string[]
  ports?: string[]
  volumes?: string[]
  depends_on?: string[] | Record<string, unknown>
  healthcheck?: { disable?: boolean }
  read_only?: boolean
}

const COMPOSE = ['compose.yml', 'compose.full.yml']
const UNITS = ['deploy/tarmac.service', 'deploy/tarmac-worker@.service']
const composeOf = (file: string) => parse(read(file), { merge: true }) as Compose
const isOurs = ({ image }: ComposeService) => image === 'tarmac'

/** Variables of the process, not of the service. */
const OF_NODE = ['NODE_ENV', 'PATH']

/** Returns the arguments of each occurrence of an instruction in the Containerfile. */
const containerfile = read('Containerfile').replaceAll('\\\n', ' ')
const instructions = (name: string) =>
  [...containerfile.matchAll(new RegExp(`^${name} +(.*)$`, 'gm'))].map(([, args]) => args.trim())

const namesIn = (text: string) => [...text.matchAll(/([A-Z][A-Z0-9_]+)=/g)].map(([, name]) => name)

test.group('settings in compose files, units and the image', () => {
  const inCompose = COMPOSE.flatMap((file) =>
    Object.values(composeOf(file).services)
      .filter(isOurs)
      .flatMap(({ environment }) => Object.keys(environment ?? {}).map((name) => ({ file, name })))
  )
  const inUnits = UNITS.flatMap((file) =>
    (read(file).match(/^Environment=.*$/gm) ?? [])
      .flatMap((line) => namesIn(line.slice('Environment='.length)))
      .map((name) => ({ file, name }))
  )
  const inImage = instructions('ENV')
    .flatMap(namesIn)
    .map((name) => ({ file: 'Containerfile', name }))

  test('are settings of the service, which docs/reference/settings.md explains', ({ assert }) => {
    for (const found of [inCompose, inUnits, inImage]) assert.isNotEmpty(found)
    const unknown = [...inCompose, ...inUnits, ...inImage].filter(
      ({ name }) => !(name in settings) && !OF_NODE.includes(name)
    )
    assert.deepEqual(unknown, [])
  })
})

for (const file of COMPOSE) {
  test.group(file, () => {
    const { services, volumes } = composeOf(file)
    const all = Object.entries(services)

    test('names existing services and volumes, and images without a host', ({ assert }) => {
      for (const [name, service] of all) {
        const before = service.depends_on ?? []
        for (const each of Array.isArray(before) ? before : Object.keys(before))
          assert.property(services, each, name)
        for (const each of service.volumes ?? []) assert.property(volumes, each.split(':')[0], name)
        assert.match(service.image, /^[a-z0-9]+(\/[a-z0-9]+)?(:[\w.-]+)?$/, name)
      }
    })

    test('publishes ports to this machine alone, and requires passwords', ({ assert }) => {
      for (const [name, { ports, environment }] of all) {
        for (const each of ports ?? []) assert.match(each, /^127\.0\.0\.1:\d+:3333$/, name)
        for (const [key, value] of Object.entries(environment ?? {})) {
          if (/KEY$|PASSWORD$/.test(key) && value !== 'tarmac')
            assert.match(value, /^\$\{[A-Z_]+:\?/, `${name} ${key}`)
        }
      }
    })

    test('keeps the home in a volume, and lets processes write nowhere else', ({ assert }) => {
      const [home] = instructions('VOLUME')
      const lasting = all.filter(([name, service]) => isOurs(service) && name !== 'bucket')
      assert.isNotEmpty(lasting)
      for (const [name, service] of lasting) {
        assert.deepEqual(service.volumes, [`home:${home}`], name)
        assert.isTrue(service.read_only, name)
      }
    })
  })
}

test('compose.full.yml has two processes that serve and two that work', ({ assert }) => {
  const { services } = composeOf('compose.full.yml')
  const ours = Object.values(services).filter(isOurs)
  const working = ours.filter(({ command }) => command?.slice(-2).join(' ') === 'ace.js work')
  const serving = ours.filter(({ command }) => command === undefined)
  assert.lengthOf(working, 2)
  assert.lengthOf(serving, 2)
  for (const each of working) assert.isTrue(each.healthcheck?.disable)
  for (const each of serving) assert.equal(each.environment?.WORK_IN_SERVER, 'false')
  for (const name of ['postgres', 'redis', 's3']) assert.property(services, name)
})

test.group('Containerfile', () => {
  const isWithin = (path: string, place: string) => path === place || path.startsWith(`${place}/`)
  const copied = instructions('COPY').flatMap((args) =>
    args.startsWith('--from') ? [] : args.split(/ +/).slice(0, -1)
  )

  test('takes every folder that code is imported from', ({ assert }) => {
    const folders = Object.values(readJson('package.json').imports).map(
      (path) => path.split('/')[1]
    )
    const wanted = new Set([...folders.filter((each) => each !== 'tests'), 'bin', 'docs/examples'])
    for (const each of wanted) assert.include(copied, each)
    for (const each of copied) assert.isTrue(existsSync(join(ROOT, each)), each)
  })

  test('takes what .containerignore lets in', ({ assert }) => {
    const letIn = (read('.containerignore').match(/^!.*$/gm) ?? []).map((each) => each.slice(1))
    assert.includeMembers(copied, letIn)
    const keptOut = copied.filter((path) => !letIn.some((each) => isWithin(path, each)))
    assert.deepEqual(keptOut, [])
  })

  test('takes every page of the guide', ({ assert }) => {
    const lost = [...sitePages].filter((page) => !copied.some((each) => isWithin(page, each)))
    assert.deepEqual(lost, [])
  })

  test('starts as npm start does, as an unprivileged user', ({ assert }) => {
    const [start] = instructions('CMD')
    const command = (JSON.parse(start) as string[]).join(' ')
    assert.equal(`exec ${command}`, readJson('package.json').scripts.start)
    assert.match(instructions('USER').at(-1)!, /^[1-9]\d+:[1-9]\d+$/)
    const [check] = instructions('HEALTHCHECK')
    assert.match(check, /CMD \["node", "bin\/healthy\.js"\]$/)
  })
})

test('the trial of the image runs every console command', ({ assert }) => {
  const trial = read('.ci/container_trial.js')
  const names = globSync('app/**/commands/*.ts', { cwd: ROOT }).flatMap(
    (file) => /commandName = '([^']+)'/.exec(read(file))?.[1] ?? []
  )
  assert.isAbove(names.length, 30)
  assert.deepEqual(
    names.filter((name) => !trial.includes(`command: ['${name}'`)),
    []
  )
})

test('the units of systemd are valid', ({ assert }) => {
  for (const unit of UNITS) {
    const { stdout, stderr } = spawnSync('systemd-analyze', [
      'verify',
      '--man=no',
      join(ROOT, unit),
    ])
    assert.equal(`${stdout}${stderr}`, '', unit)
  }
}).skip(
  () => spawnSync('systemd-analyze', ['--version']).status !== 0,
  'systemd-analyze is not here'
)
