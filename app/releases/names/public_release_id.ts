/** Returns the id of a release that clients use: `<appId>:<version>`. */
export function publicReleaseId({ appId, version }: { appId: string; version: string }): string {
  return `${appId}:${version}`
}

/** Returns the path of the full representation of a release. */
export const releasePath = ({ appId, publicId }: { appId: string; publicId: string }) =>
  `/v2/app/${appId}/releases/${publicId}`

/** Splits a public id into the id of the app and the text of the version. */
export function parseReleaseId(releaseId: string): { appId: string; version: string } {
  const [appId, ...version] = releaseId.split(':')
  return { appId, version: version.join(':') }
}
