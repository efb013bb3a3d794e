import { readFileSync } from 'node:fs'

/** Returns the processor seconds of this process and of its ended children. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + ofChildren()
}

/**
 * Returns the processor seconds of ended children, which Linux counts in hundredths; 0 on other
 * systems.
 */
function ofChildren(): number {
  try {
    const [, fields] = readFileSync('/proc/self/stat', 'utf8').split(') ')
    const [user, system] = fields.split(' ').slice(13, 15).map(Number)
    return (user + system) / 100
  } catch {
    return 0
  }
}
