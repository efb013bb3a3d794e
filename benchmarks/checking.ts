import 'reflect-metadata'
import { ignite } from '../bin/ignite.js'
import type { Worst } from './parts/hostile_files.js'

/*
 * A process that checks every hostile configuration file of the largest size, and reports the worst
 * load of its main thread. The files are read in threads of their own, as the service does.
 */

const app = ignite().createApp('console')
await app.init()
await app.boot()
await app.start(() => {})

const { checkNewApp } = await import('#configuration/checks/check_configuration')
const { requireValid, MAX_FILE_BYTES } = await import('#configuration/read_configuration_file')
const { hostileFiles, organizationOf } = await import('#configuration/tests/generators/hostile')
const { readYaml } = await import('#configuration/yaml/read_yaml')
const { Problem, renderProblem } = await import('#foundation/core/problems/problem')

const ROUNDS = 3
const context = organizationOf(1000)

/** Milliseconds of processor time so far. */
function spent(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Milliseconds of processor time to copy a parsed file, check it and render its problems; null if
 * the file cannot be parsed.
 */
function costOf(text: string): number | null {
  const reading = readYaml(text)
  if (!reading.ok) return null
  const rounds = Array.from({ length: ROUNDS }, () => {
    const began = spent()
    const root = structuredClone(reading.root)
    try {
      requireValid(checkNewApp(root, context))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      JSON.stringify(renderProblem(error, 'bench', ''))
    }
    return spent() - began
  })
  // Other load on the machine can only make a round slower.
  return Math.min(...rounds)
}

const costs = hostileFiles(MAX_FILE_BYTES).flatMap(({ name, text }) => {
  const cpuMs = costOf(text)
  return cpuMs === null ? [] : [{ name, cpuMs }]
})
const worst = costs.reduce((one, other) => (other.cpuMs > one.cpuMs ? other : one))
console.log(JSON.stringify({ files: costs.length, ...worst } satisfies Worst))
process.exit()
