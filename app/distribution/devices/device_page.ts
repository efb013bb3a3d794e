import { html, type Markup } from '#foundation/api/http/html'
import type { Device } from '../install_pages/device.js'
import { qrCode } from '#foundation/api/http/qr_code'
import { pageResponse } from '../install_pages/views/style.js'

/** The data of the page to register a device. */
interface DevicePage {
  device: Device
  appName: string
  organizationName: string
  bucketName: string
  isSecure: boolean
  isRegistered: boolean
  /** The absolute address of this page. */
  pageAddress: string
  profilePath: string
  homePath: string
}

/** Returns the page on which a tester registers an iPhone or iPad. */
export function devicePage(page: DevicePage) {
  const { appName, organizationName, bucketName, homePath, isRegistered } = page
  const title = isRegistered ? 'This device is registered' : 'Register this device'
  const body = html`<main>
      <div class="card">
        <h1>${title}</h1>
        <p class="sub">${appName} · ${bucketName}</p>
        ${isRegistered ? registered() : instructions(page)}
      </div>
      <p class="others"><a href="${homePath}">Back to the build</a></p>
    </main>
    <footer>${organizationName}</footer>`
  return pageResponse(200, `${title}: ${appName}`, body)
}

const registered = () =>
  html`<p class="lead">
    Those who make the builds see it now. It can install the builds that are signed for it from then
    on, not those there are already.
  </p>`

function instructions({ device, isSecure, pageAddress, profilePath }: DevicePage): Markup {
  if (device.system !== 'ios') {
    return html`<div class="qr">
      ${qrCode(pageAddress, 'QR code of the address of this page')}
      <h2>Scan with your iPhone or iPad</h2>
      <p class="hint">Point its camera at the code to open this page there.</p>
    </div>`
  }
  if (!isSecure) {
    return html`<p class="warn">
      <strong>This page is not open over https.</strong> iOS takes profiles from nowhere else.
    </p>`
  }
  return html`<p class="lead">
      A test build installs on the devices it is signed for. A profile has your device tell which
      one it is: its identifier, its model and its system, nothing else.
    </p>
    <a class="button" href="${profilePath}">Get the profile</a>
    <ol class="steps">
      <li>Allow this page to download a profile.</li>
      <li>Open Settings, and tap Profile Downloaded.</li>
      <li>Tap Install. The profile removes itself when it is done.</li>
    </ol>`
}
