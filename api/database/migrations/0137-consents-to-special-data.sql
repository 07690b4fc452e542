-- What the applicant consented to beside sending: a list of the kinds of special data (health, biometrics, religion, children), each with the time and the version of the privacy policy. Null: the request holds none, or was sent before consents were asked for.
alter table requests add column special_consents jsonb;
