/** Device features that browsers grant pages. */
const FEATURES = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'xr-spatial-tracking',
];

/** Returns the value of `permissions-policy` that denies a page all device features. @param allowed - Exceptions. */
export function deniedFeatures(...allowed: readonly string[]): string {
  return FEATURES.filter((feature) => !allowed.includes(feature))
    .map((feature) => `${feature}=()`)
    .join(', ');
}
