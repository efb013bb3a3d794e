import { readSources } from './sources.js'

/*
 * The code of the service for the tests of its rules, which is read once for all of them.
 */

/** Every file of `app/`, tests included. */
export const sources = readSources('app')

/** Every file of `app/` outside of tests. */
export const code = sources.filter(({ path }) => !path.includes('/tests/'))

export const moduleOf = (path: string) => /^app\/(\w+)\//.exec(path)?.[1] ?? null

/** Returns every import that a rule forbids, as `from → to`. */
export function offending(rule: (from: string, to: string, isType: boolean) => boolean): string[] {
  return code.flatMap(({ path, imports }) =>
    imports
      .filter(({ target, isType }) => rule(path, target, isType))
      .map(({ target }) => `${path} → ${target}`)
  )
}

/** Returns every line that matches, outside of the files named. */
export function lines(pattern: RegExp, except: RegExp = /^$/): string[] {
  return code
    .filter(({ path }) => !except.test(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []
        )
    )
}
