import { html, type Markup } from '#foundation/api/http/html'
import type { BuildPage } from './page_data.js'
import { qrCode } from '#foundation/api/http/qr_code'
import { devicesText, systemText } from './texts.js'

/** Renders the offer of a page: one button, or the reason why there is none. */
export function offerPart(page: BuildPage): Markup {
  return PARTS[page.offer](page)
}

const PARTS: Record<BuildPage['offer'], (page: BuildPage) => Markup> = {
  install: ({ addresses }) =>
    html`${button(addresses.install, 'Install')}
      <p class="hint">iOS asks once more. Then the app appears on your Home Screen.</p>`,
  download: ({ addresses }) =>
    html`${button(addresses.package, 'Download and install')}
      <p class="hint">Open the file after the download. Android may ask you to allow it.</p>`,
  openBrowser: ({ device, addresses: { page } }) => {
    const where = device.inApp?.app ?? 'an app'
    const isIos = device.system === 'ios'
    const browser = isIos ? 'Safari' : 'your browser'
    return html`<p class="lead">This page is open inside ${where}, which cannot install apps.</p>
      ${button(isIos ? `x-safari-${page}` : intentOf(page), `Open in ${browser}`)}
      <p class="hint">If nothing happens, copy this address and open it in ${browser}:</p>
      ${address(page)}`
  },
  elsewhere: ({ device, build, addresses }) => {
    const wanted = devicesText(build.metadata!.platform)
    const isPhone = device.system !== 'other'
    const isForApple = build.metadata!.format === 'ipa'
    const onIpad =
      device.isMacLike &&
      isForApple &&
      addresses.install !== '' &&
      html`<p class="hint">On an iPad? <a href="${addresses.install}">Install here</a>.</p>`
    const code = qrCode(addresses.page, 'QR code of the address of this page')
    return html`<div class="qr">
      ${isPhone && html`<p class="lead">This build is for an ${wanted}.</p>`}${code}
      <h2>Scan with your ${wanted}</h2>
      <p class="hint">Point its camera at the code to open this page there.</p>
      ${onIpad}
    </div>`
  },
  insecure: ({ addresses }) =>
    html`<p class="warn">
        <strong>This page is not open over https.</strong> iOS installs only over https. The
        operator of this service has to set up a certificate.
      </p>
      ${address(addresses.page)}`,
  bundle: (page) =>
    html`<p class="warn">
        <strong>Phones cannot install this file.</strong> It is an Android App Bundle (.aab), from
        which Google Play creates apps. Ask for an .apk of the build, or install it from a test
        track of Google Play.
      </p>
      ${download(page)}`,
  store: (page) =>
    html`<p class="warn">
        <strong>This build is signed for the App Store.</strong> Devices install it only from there
        or from TestFlight. Ask for an ad hoc build to install it from here.
      </p>
      ${download(page)}`,
  tethered: (page) =>
    html`<p class="warn">
        <strong>This build is for ${systemText(page.build.metadata!.platform)}.</strong> Such
        devices install from a computer: download the file there.
      </p>
      ${download(page)}`,
  unreadable: (page) =>
    html`<p class="warn">
        <strong>The content of this file is unknown</strong>, so it cannot be installed from here.
        ${page.build.metadataFailure}
      </p>
      ${download(page)}`,
  reading: ({ addresses }) =>
    html`<p class="lead">The build has just arrived and is being read. This takes a few seconds.</p>
      ${button(addresses.page, 'Look again')}`,
  pending: ({ addresses }) =>
    html`<p class="lead">The file of this build has not arrived yet.</p>
      ${button(addresses.page, 'Look again')}`,
  expired: () =>
    html`<p class="warn"><strong>This build has expired.</strong> Ask for a newer one.</p>`,
  profileExpired: () =>
    html`<p class="warn">
      <strong>The provisioning profile of this build has expired.</strong> Devices no longer install
      or start it. Ask for a newer one.
    </p>`,
}

const button = (href: string, label: string) => html`<a class="button" href="${href}">${label}</a>`

const download = ({ addresses, build }: BuildPage) =>
  html`<a class="button quiet" href="${addresses.package}">Download ${build.artifactFileName}</a>`

const address = (page: string) => html`<code class="address">${page}</code>`

/** Returns an address that Android opens in the person's default browser. */
function intentOf(page: string): string {
  const { protocol, host, pathname } = new URL(page)
  const scheme = protocol.slice(0, -1)
  return `intent://${host}${pathname}#Intent;scheme=${scheme};action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;end`
}
