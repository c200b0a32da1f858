import { attributeValues, readPemSigningRequest, X509Error } from '../../x509/index.ts';
import { KubectlError } from '../program/errors.ts';

const attributes = {
  commonName: '2.5.4.3',
  serialNumber: '2.5.4.5',
  country: '2.5.4.6',
  locality: '2.5.4.7',
  province: '2.5.4.8',
  organization: '2.5.4.10',
  organizationalUnit: '2.5.4.11',
} as const;

export type SubjectAttribute = keyof typeof attributes;

export interface CertificateRequest {
  /** Values of an attribute of the subject. */
  subject(attribute: SubjectAttribute): readonly string[];
}

/** Parses a base64-encoded PEM request. @throws KubectlError */
export function readCertificateRequest(base64: string): CertificateRequest {
  try {
    const { subjectAttributes } = readPemSigningRequest(atob(base64));
    return { subject: (attribute) => attributeValues(subjectAttributes, attributes[attribute]) };
  } catch (error) {
    if (error instanceof X509Error) throw new KubectlError(`Error parsing CSR: ${error.message}`);
    throw error;
  }
}
