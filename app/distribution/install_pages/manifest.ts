import { build } from 'plist'

/** The app that iOS is asked to install. */
interface ManifestApp {
  bundleId: string
  version: string
  title: string
  /** Addresses, by https. */
  packageUrl: string
  smallIconUrl: string
  largeIconUrl: string
}

/** Characters that XML cannot contain but a name may. */
// oxlint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const plain = (text: string) => text.toWellFormed().replace(NOT_XML, '')

/** Returns the manifest by which iOS installs over the air (`itms-services`). */
export function writeManifest(app: ManifestApp): string {
  return build({
    items: [
      {
        assets: [
          { kind: 'software-package', url: app.packageUrl },
          { 'kind': 'display-image', 'needs-shine': false, 'url': app.smallIconUrl },
          { 'kind': 'full-size-image', 'needs-shine': false, 'url': app.largeIconUrl },
        ],
        metadata: {
          'bundle-identifier': plain(app.bundleId),
          'bundle-version': plain(app.version),
          'kind': 'software',
          'title': plain(app.title),
        },
      },
    ],
  })
}

/** Returns a link by which iOS fetches a manifest and installs its app. */
export const itmsLink = (manifestUrl: string) =>
  `itms-services://?action=download-manifest&url=${encodeURIComponent(manifestUrl)}`
