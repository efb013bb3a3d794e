/** The id of a release that clients use: `<appId>:<version>`. */
export function publicReleaseId({ appId, version }: { appId: string; version: string }): string {
  return `${appId}:${version}`
}

/** The app that a public id names, and the text of the version. */
export function parseReleaseId(releaseId: string): { appId: string; version: string } {
  const [appId, ...version] = releaseId.split(':')
  return { appId, version: version.join(':') }
}
