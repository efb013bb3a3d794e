import { isAbsolute, normalize } from 'node:path'
import env from '#start/env'

/**
 * Reads `GIT_FOLDERS`: the folders whose repositories pages may connect by their path.
 * @throws Error that says what the setting may be
 */
export function readFolders(setting = ''): readonly string[] {
  const given = setting.split(',').flatMap((each) => each.trim() || [])
  for (const each of given) {
    if (isAbsolute(each) && normalize(each) === each && !each.endsWith('/')) continue
    throw new Error(
      `GIT_FOLDERS is a list of folders, such as "/srv/git,/srv/mirrors": "${each}" is none. Each is a whole path, without "..", and without a slash at its end.`
    )
  }
  return given
}

/** The folders whose repositories pages may connect by their path. */
export const gitFolders = readFolders(env.get('GIT_FOLDERS'))
