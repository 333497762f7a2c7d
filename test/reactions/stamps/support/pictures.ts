/** The beginnings of picture files, which are all that the product checks. */
export const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
export const GIF = Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1');
export const WEBP = Buffer.from('RIFF\x1a\x00\x00\x00WEBPVP8L', 'latin1');
