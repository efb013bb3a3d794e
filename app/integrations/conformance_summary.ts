import { readFile } from 'node:fs/promises'
import type { Plugin } from '#plugin-kit/plugin'
import type { ConformanceReport } from '#plugin-kit/testing'

/** The conformance of a plugin, according to the report it ships. */
export type ConformanceSummary =
  | { state: 'passed' | 'failed'; failed: string[]; unverified: number; untested: string[] }
  /** There is no readable report (`unknown`), or it is for another version (`outdated`). */
  | { state: 'unknown' | 'outdated' }

/** Reads the conformance report of a plugin; an unreadable report counts as missing. */
export async function conformanceOf({
  manifest,
  conformance,
}: Plugin): Promise<ConformanceSummary> {
  if (!(conformance instanceof URL) || conformance.protocol !== 'file:') return { state: 'unknown' }
  let report: Partial<ConformanceReport>
  try {
    report = JSON.parse(await readFile(conformance, 'utf8')) as Partial<ConformanceReport>
  } catch {
    return { state: 'unknown' }
  }
  if (report?.plugin !== manifest.id) return { state: 'unknown' }
  if (report.version !== manifest.version) return { state: 'outdated' }
  return {
    state: report.passed === true ? 'passed' : 'failed',
    failed: (report.failed ?? []).map(({ rule }) => rule),
    unverified: report.unverified?.length ?? 0,
    untested: report.untested ?? [],
  }
}
