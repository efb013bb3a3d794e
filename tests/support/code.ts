import { readSources } from './sources.js'

/*
 * The code of the service as rules about it ask for it: read once, however many ask.
 */

/** Every file of `app/`, tests included. */
export const sources = readSources('app')

/** Every file of `app/` that is no test. */
export const code = sources.filter(({ path }) => !path.includes('/tests/'))

export const moduleOf = (path: string) => /^app\/(\w+)\//.exec(path)?.[1] ?? null

/** Every import that a rule forbids, as `from → to`. */
export function offending(rule: (from: string, to: string, isType: boolean) => boolean): string[] {
  return code.flatMap(({ path, imports }) =>
    imports
      .filter(({ target, isType }) => rule(path, target, isType))
      .map(({ target }) => `${path} → ${target}`)
  )
}

/** Every line that matches, outside of the files named. */
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
